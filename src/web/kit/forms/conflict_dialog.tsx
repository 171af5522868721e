import { useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { Dialog } from '../shell/dialog.tsx'
import type { Clash } from './merge.ts'

export type InWords = (value: string) => string | undefined

interface ConflictProps<T> {
  /** The form, which knows the labels of its fields. */
  form: HTMLFormElement | null
  clashes: Clash<T>[]
  /** Who changed them. */
  by?: string | undefined
  /** Words for a value that is a name of the contract. */
  inWords?: InWords | undefined
  action: string
  onClose: () => void
  /** Called with the fields that take the other side's value. */
  onChoose: (theirKeys: ReadonlySet<string>) => void
}

/**
 * Both values of each field that two sides changed. The stored value is chosen until the person
 * chooses theirs: nobody's saved work is lost by pressing Enter.
 */
export function ConflictDialog<T>(props: ConflictProps<T>) {
  const { form, clashes, by, inWords, action, onClose, onChoose } = props
  const t = texts('kit')
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const choose = (key: string, isMine: boolean) => {
    const next = new Set(mine)
    if (isMine) next.add(key)
    else next.delete(key)
    setMine(next)
  }
  const theirKeys = () => new Set(clashes.map(({ key }) => key).filter((key) => !mine.has(key)))
  return (
    <Dialog title={t('conflictTitle')} onClose={onClose} size="large">
      <p>
        {by === undefined ? null : <b>{t('conflictBy', { name: by })} </b>}
        {t('conflictHint')}
      </p>
      {clashes.map(({ key, theirs, mine: own }) => (
        <fieldset key={key} class="clash">
          <legend>{labelOf(form, key)}</legend>
          <Version
            {...{
              name: `clash-${key}`,
              label: t('theirVersion'),
              words: wordsFor(theirs, inWords),
            }}
            checked={!mine.has(key)}
            onChoose={() => choose(key, false)}
          />
          <Version
            {...{ name: `clash-${key}`, label: t('myVersion'), words: wordsFor(own, inWords) }}
            checked={mine.has(key)}
            onChoose={() => choose(key, true)}
          />
        </fieldset>
      ))}
      <footer class="actions">
        <button type="button" onClick={onClose}>
          {t('stay')}
        </button>
        <button type="button" class="primary" autofocus onClick={() => onChoose(theirKeys())}>
          {action}
        </button>
      </footer>
    </Dialog>
  )
}

interface VersionProps {
  name: string
  label: string
  words: string
  checked: boolean
  onChoose: () => void
}

function Version({ name, label, words, checked, onChoose }: VersionProps) {
  return (
    <label class="choice">
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span class="grow">
        <b>{label}</b>
        <small class="version">{words}</small>
      </span>
    </label>
  )
}

/** The label beside the field; a field of several inputs names itself. */
function labelOf(form: HTMLFormElement | null, key: string): string {
  const name = CSS.escape(key)
  const field = form?.querySelector<HTMLElement>(`[data-field="${name}"], [name="${name}"]`)
  if (!field) return key
  if (field.dataset['label'] !== undefined) return field.dataset['label']
  const [label] = (field as HTMLInputElement).labels ?? []
  return label?.firstChild?.textContent ?? key
}

/** A value for people: texts as they are, pictures, tags and shops by their names; of a list, what is filled in. */
function wordsFor(value: unknown, inWords: InWords = () => undefined): string {
  const t = texts('kit')
  if (value === null || value === '') return t('emptyValue')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (Array.isArray(value)) {
    const filled = value.filter((each) => each !== '')
    return filled.map((each) => wordsFor(each, inWords)).join(', ') || t('emptyValue')
  }
  if (typeof value === 'string') return inWords(value) ?? value
  if (typeof value === 'number') return String(value)
  const { name, fileName, text } = (value ?? {}) as Record<string, unknown>
  return wordsFor(name ?? fileName ?? text ?? '')
}
