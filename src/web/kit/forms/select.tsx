import { useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../shell/icons.tsx'
import { useDismiss } from '../shell/use_dismiss.ts'
import { type Choice, isTyping, nothingTyped, placeOf, typedWith } from './choice.ts'
import { choiceId, ChoiceList, ChoicePanel } from './choice_list.tsx'
import { Field, type FieldProps } from './fields.tsx'

interface SelectProps<V extends string> {
  label: string
  value: V
  choices: readonly Choice<V>[]
  onChange: (value: V) => void
}

interface SelectFieldProps<V extends string> extends FieldProps, SelectProps<V> {
  name: string
}

/** One of a few choices, with label, hint and error. */
export function SelectField<V extends string>(props: SelectFieldProps<V>) {
  const { name, value, choices, onChange, ...field } = props
  return (
    <Field {...field}>
      {({ id, ...attributes }) => (
        <SelectBox
          {...{ value, choices, onChange }}
          label={field.label}
          attributes={{ id, name, 'aria-labelledby': `${id}-label`, ...attributes }}
        />
      )}
    </Field>
  )
}

/** One of a few choices, without a visible label, for toolbars and tables. */
export function Select<V extends string>(props: SelectProps<V>) {
  return <SelectBox {...props} attributes={{ 'aria-label': props.label }} />
}

interface BoxProps<V extends string> extends SelectProps<V> {
  /** What names and describes the button. */
  attributes: Record<string, string | boolean | undefined>
}

/** So far Page Up and Page Down go. */
const pageSteps = 10

/** A button that shows what is chosen, and the list that it opens; the keys are those of a browser's own. */
function SelectBox<V extends string>(props: BoxProps<V>) {
  const { label, value, choices, onChange, attributes } = props
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const typed = useRef(nothingTyped)
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useDismiss(element, open, () => setOpen(false))
  const chosenAt = choices.findIndex((choice) => choice.value === value)
  const show = (place: number) => {
    setAt(Math.max(0, Math.min(choices.length - 1, place)))
    setOpen(true)
  }
  const pick = (choice: Choice<V> | undefined) => {
    setOpen(false)
    if (choice && choice.value !== value) onChange(choice.value)
  }
  const type = (key: string, now: number) => {
    typed.current = typedWith(typed.current, key, now)
    const current = open ? at : chosenAt
    show(placeOf(choices, current, typed.current.text) ?? current)
  }
  const moves: Record<string, number> = {
    ArrowDown: open ? at + 1 : chosenAt,
    ArrowUp: open ? at - 1 : chosenAt,
    PageDown: open ? at + pageSteps : chosenAt,
    PageUp: open ? at - pageSteps : chosenAt,
    Home: 0,
    End: choices.length - 1,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (ctrlKey || metaKey) return
    const isPress = key === 'Enter' || (key === ' ' && !isTyping(typed.current, timeStamp))
    const move = moves[key]
    if (isPress || (altKey && key.startsWith('Arrow'))) {
      if (open) pick(choices[at])
      else show(chosenAt)
    } else if (open && key === 'Tab') {
      // The focus goes on to the next field, and the choice stays.
      pick(choices[at])
      return
    } else if (move !== undefined) show(move)
    else if (key.length === 1 && !altKey) type(key, timeStamp)
    else return
    event.preventDefault()
  }
  return (
    <div class="picker" ref={element}>
      <button
        ref={button}
        type="button"
        role="combobox"
        class="picker-button"
        value={value}
        {...attributes}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? choiceId(id, at) : undefined}
        onClick={() => (open ? setOpen(false) : show(chosenAt))}
        onKeyDown={onKeyDown}
        // Some browsers press a button when the space bar comes up again.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      >
        <span class="picker-value">{choices[chosenAt]?.label ?? '\u00A0'}</span>
        <Icon name="chevron" />
      </button>
      {open ? (
        <ChoicePanel button={button}>
          <ChoiceList
            {...{ id, label, choices, at }}
            chosen={value}
            onPick={(choice) => {
              button.current?.focus()
              pick(choice)
            }}
            onPoint={setAt}
          />
        </ChoicePanel>
      ) : null}
    </div>
  )
}
