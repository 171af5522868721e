import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatDate, formatMonth, texts, weekdays } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'
import { useDismiss } from '../shell/use_dismiss.ts'
import { usePopover } from '../shell/use_popover.ts'
import { daysAfter, monthsAfter, weeksOf } from './calendar.ts'

interface DateFieldProps {
  label: string
  /** Such as 2026-01-05. */
  value: string
  min?: string
  max?: string
  onChange: (date: string) => void
}

/** A day, written in the reader's language; browsers write theirs in the language of the browser. */
export function DateField({ label, value, onChange, ...limits }: DateFieldProps) {
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useDismiss(element, open, () => setOpen(false))
  return (
    <div class="picker date-field" ref={element}>
      <button
        ref={button}
        type="button"
        class="picker-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${label}: ${formatDate(value)}`}
        onClick={() => setOpen(!open)}
      >
        <span class="picker-value">{formatDate(value)}</span>
        <Icon name="chevron" />
      </button>
      {open ? (
        <Calendar
          {...{ label, value, button }}
          {...limits}
          onPick={(date) => {
            setOpen(false)
            button.current?.focus()
            onChange(date)
          }}
        />
      ) : null}
    </div>
  )
}

interface CalendarProps extends Pick<DateFieldProps, 'label' | 'value' | 'min' | 'max'> {
  button: { current: HTMLButtonElement | null }
  onPick: (date: string) => void
}

/** The days of a month; the arrows walk through them, and Page Up and Page Down through the months. */
function Calendar({ label, value, min = '', max = '9999-12-31', button, onPick }: CalendarProps) {
  const t = texts('kit')
  const panel = useRef<HTMLDivElement>(null)
  usePopover(button, panel)
  const [at, setAt] = useState(value)
  const within = (date: string) => (date < min ? min : date > max ? max : date)
  // With the focus, if a key has moved there; the buttons of the months keep theirs.
  const [isByKey, setByKey] = useState(true)
  const go = (date: string, byKey: boolean) => {
    setByKey(byKey)
    setAt(within(date))
  }
  // Before the next key: the button that had the focus may be gone.
  useLayoutEffect(() => {
    if (isByKey) panel.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [at, isByKey])
  const days = weekdays()
  const weeks = weeksOf(at, days[0]?.number ?? 1)
  const keys: Record<string, () => string> = {
    ArrowLeft: () => daysAfter(at, -1),
    ArrowRight: () => daysAfter(at, 1),
    ArrowUp: () => daysAfter(at, -7),
    ArrowDown: () => daysAfter(at, 7),
    PageUp: () => monthsAfter(at, -1),
    PageDown: () => monthsAfter(at, 1),
  }
  const step = (months: number, name: 'earlierMonth' | 'laterMonth') => {
    const month = monthsAfter(at, months).slice(0, 7)
    const isOut = month < min.slice(0, 7) || month > max.slice(0, 7)
    return (
      <button
        type="button"
        class="plain"
        aria-label={t(name)}
        aria-disabled={isOut}
        onClick={() => {
          if (!isOut) go(monthsAfter(at, months), false)
        }}
      >
        {months < 0 ? '‹' : '›'}
      </button>
    )
  }
  return (
    <div
      class="picker-panel calendar"
      popover="manual"
      role="dialog"
      aria-label={label}
      ref={panel}
    >
      <header>
        {step(-1, 'earlierMonth')}
        <b aria-live="polite">{formatMonth(at)}</b>
        {step(1, 'laterMonth')}
      </header>
      <table
        role="grid"
        aria-label={formatMonth(at)}
        onKeyDown={(event) => {
          const move = keys[event.key]
          if (!move) return
          event.preventDefault()
          go(move(), true)
        }}
      >
        <thead>
          <tr>
            {days.map(({ number, short, long }) => (
              <th key={number} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} aria-selected={date === value}>
                  <button
                    type="button"
                    class={date.slice(0, 7) === at.slice(0, 7) ? undefined : 'muted'}
                    tabIndex={date === at ? 0 : -1}
                    aria-label={formatDate(date)}
                    disabled={date < min || date > max}
                    onClick={() => onPick(date)}
                  >
                    {Number(date.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
