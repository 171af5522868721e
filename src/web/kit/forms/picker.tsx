import { type MutableRef, useEffect, useId, useRef, useState } from 'preact/hooks'
import { parameterLimits } from '../../../generated/limits.ts'
import { texts } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'
import { useDismiss } from '../shell/use_dismiss.ts'
import { useLoad } from '../shell/use_load.ts'
import { type Choice, fold } from './choice.ts'
import { choiceId, ChoiceList, ChoicePanel } from './choice_list.tsx'

const pauseMilliseconds = 150

interface PickerProps {
  label: string
  /** What is chosen, as it is called. */
  chosen: Choice<string>
  /** The choices for what is typed; all of them, or the first ones, for an empty text. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice<string>[]>
  onChange: (choice: Choice<string>) => void
  /** Of the button, for a label. */
  id?: string
}

/** Chooses one of many by typing a part of its name. */
export function Picker({ label, chosen, find, onChange, id }: PickerProps) {
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
        id={id}
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
          {...{ label, chosen, find, button }}
          onPick={(choice) => {
            close()
            onChange(choice)
          }}
        />
      ) : null}
    </div>
  )
}

interface PickerPanelProps extends Pick<PickerProps, 'label' | 'chosen' | 'find'> {
  button: MutableRef<HTMLButtonElement | null>
  onPick: (choice: Choice<string>) => void
}

/** The field to type in, and the choices below it; the arrows walk through them. */
function PickerPanel({ label, chosen, find, button, onPick }: PickerPanelProps) {
  const t = texts('kit')
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(-1)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
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
  const place = Math.min(Math.max(current, 0), choices.length - 1)
  const active = choices[place]
  const move = (steps: number) => setAt(Math.max(0, Math.min(choices.length - 1, place + steps)))
  return (
    <ChoicePanel button={button}>
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={label}
        placeholder={t('search')}
        autocomplete="off"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={active ? choiceId(id, place) : undefined}
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
      <ChoiceList
        {...{ id, label, choices, onPick }}
        chosen={chosen.value}
        at={place}
        onPoint={setAt}
      />
      <p class="muted" role="status">
        {choices.length === 0 && !load.loading ? t('nothingFound') : ''}
      </p>
    </ChoicePanel>
  )
}

/** The search of a list that is all here. */
export function among(choices: readonly Choice<string>[]): PickerProps['find'] {
  return (text) => Promise.resolve(choices.filter((choice) => has(choice, text)))
}

function has({ label }: Choice<string>, text: string): boolean {
  return fold(label).includes(fold(text.trim()))
}
