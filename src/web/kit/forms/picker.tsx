import { type MutableRef, useEffect, useId, useRef, useState } from 'preact/hooks'
import { parameterLimits } from '../../../generated/limits.ts'
import { texts } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'
import { useDismiss } from '../shell/use_dismiss.ts'
import { useLoad } from '../shell/use_load.ts'
import { usePopover } from '../shell/use_popover.ts'
import type { Choice } from './fields.tsx'

const pauseMilliseconds = 150

interface PickerProps {
  label: string
  /** What is chosen, as it is called. */
  chosen: Choice<string>
  /** The choices for what is typed; all of them, or the first ones, for an empty text. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice<string>[]>
  onChange: (choice: Choice<string>) => void
  /** Whether there is little to search in. */
  isShort?: boolean
}

/** Chooses one of many by typing a part of its name. */
export function Picker({ label, chosen, find, onChange, isShort = false }: PickerProps) {
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useDismiss(element, open, () => setOpen(false))
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div class="picker" ref={element}>
      <button
        ref={button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={chosen.label === label ? undefined : `${label}: ${chosen.label}`}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        <span class="picker-value">{chosen.label}</span>
        <Icon name="chevron" />
      </button>
      {open ? (
        <PickerPanel
          {...{ label, chosen, find, isShort, button }}
          onPick={(choice) => {
            close()
            onChange(choice)
          }}
        />
      ) : null}
    </div>
  )
}

interface PanelProps extends Pick<PickerProps, 'label' | 'chosen' | 'find'> {
  isShort: boolean
  button: MutableRef<HTMLButtonElement | null>
  onPick: (choice: Choice<string>) => void
}

/** The field to type in, and the choices below it; the arrows walk through them. */
function PickerPanel({ label, chosen, find, isShort, button, onPick }: PanelProps) {
  const t = texts('kit')
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(-1)
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  usePopover(button, panel)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    const timeout = setTimeout(() => setSearch(text), pauseMilliseconds)
    return () => clearTimeout(timeout)
  }, [text])
  const load = useLoad((signal) => find(search, signal), [search])
  // Until the search is through, what does not have the text is left out: Enter must not take it.
  const isCurrent = search === text && !load.loading
  const choices = (load.value ?? []).filter((choice) => isCurrent || has(choice, text))
  const current = at < 0 ? choices.findIndex(({ value }) => value === chosen.value) : at
  const active = choices[Math.min(Math.max(current, 0), choices.length - 1)]
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const move = (steps: number) =>
    setAt(Math.max(0, Math.min(choices.length - 1, Math.max(current, 0) + steps)))
  return (
    <div class="picker-panel" popover="manual" ref={panel}>
      <input
        ref={input}
        type="search"
        role="combobox"
        class={isShort ? 'hidden' : undefined}
        aria-label={label}
        placeholder={t('search')}
        autocomplete="off"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={active ? `${id}-${active.value}` : undefined}
        maxLength={parameterLimits.Search.maxLength}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1)
          else if (event.key === 'ArrowUp') move(-1)
          else if (event.key === 'Enter' && active) onPick(active)
          else return
          event.preventDefault()
        }}
      />
      <ul class="plain-list" role="listbox" id={id} aria-label={label} ref={list}>
        {choices.map((choice) => (
          <li
            key={choice.value}
            id={`${id}-${choice.value}`}
            role="option"
            aria-selected={choice.value === chosen.value}
            data-active={choice === active ? '' : undefined}
            onClick={() => onPick(choice)}
          >
            <span class="grow clamp">{choice.label}</span>
            {choice.value === chosen.value ? <Icon name="check" /> : null}
          </li>
        ))}
      </ul>
      <p class="muted" role="status">
        {choices.length === 0 && !load.loading ? t('nothingFound') : ''}
      </p>
    </div>
  )
}

/** The search of a list that is all here: case and accents do not matter. */
export function among(choices: readonly Choice<string>[]): PickerProps['find'] {
  return (text) => Promise.resolve(choices.filter((choice) => has(choice, text)))
}

function has({ label }: Choice<string>, text: string): boolean {
  return fold(label).includes(fold(text))
}

function fold(text: string): string {
  return text.trim().toLocaleLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/ı/g, 'i')
}
