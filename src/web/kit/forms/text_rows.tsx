import { useEffect } from 'preact/hooks'
import { TextField } from './fields.tsx'
import { Icon } from '../shell/icons.tsx'
import { useRowFocus } from './row_focus.ts'

/** One text of the list. */
interface TextRow {
  key: string
  /** The field's path in the contract. */
  name: string
  text: string
  error: string | undefined
}

interface TextRowsProps {
  /** The list's name in the contract, and what people call it. */
  field: string
  label: string
  rows: readonly TextRow[]
  max: number
  limit?: { maxLength: number }
  addLabel: string
  rowLabel: (number: number) => string
  removeLabel: (number: number) => string
  /** Called with the row and its new text. */
  onInput: (at: number, text: string) => void
  onRemove: (at: number) => void
  onAdd: () => void
  /** Focus the first field, because the user has just opened the list. */
  autofocus?: boolean
}

/** A list of texts that are typed, added and removed one by one. */
export function TextRows(props: TextRowsProps) {
  const { rows, max, onInput, onRemove, onAdd, autofocus = false } = props
  const focus = useRowFocus<HTMLDivElement>()
  useEffect(() => {
    if (autofocus) focus[rows.length > 0 ? 'onNew' : 'afterRemoval'](0)
  }, [])
  return (
    <div class="stack" data-field={props.field} data-label={props.label} ref={focus.container}>
      {rows.map(({ key, name, text, error }, at) => (
        <div key={key} data-row class="row nowrap question">
          <div class="grow">
            <TextField
              {...{ name, error }}
              {...(props.limit ? { limit: props.limit } : {})}
              label={props.rowLabel(at + 1)}
              value={text}
              onInput={(typed) => onInput(at, typed)}
            />
          </div>
          <button
            type="button"
            class="plain"
            aria-label={props.removeLabel(at + 1)}
            onClick={() => {
              onRemove(at)
              focus.afterRemoval(at)
            }}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          disabled={rows.length >= max}
          onClick={() => {
            onAdd()
            focus.onNew(rows.length)
          }}
        >
          <Icon name="plus" />
          {props.addLabel}
        </button>
      </div>
    </div>
  )
}
