import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { texts } from '../../language.ts'

export interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  optional?: boolean
}

/** Attributes that link an input to its label, hint and error. */
interface FieldAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** An input with label, hint and the service's error message. */
export function Field(
  props: FieldProps & { children: (attributes: FieldAttributes) => ComponentChildren },
) {
  const { label, hint, error, optional = false, children } = props
  const id = useId()
  const t = texts('kit')
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} id={`${id}-label`}>
        {label}
        {optional ? <span class="optional"> · {t('optional')}</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** Limits of a field in the contract. Minimum lengths are left to the service. */
interface Limit {
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Invalid or no input becomes NaN, which the service refuses at its field. */
export function numberIn(text: string): number {
  return text.trim() === '' ? NaN : Number(text)
}

type InputAttributes = Omit<
  JSX.InputHTMLAttributes<HTMLInputElement>,
  'onInput' | 'value' | 'name' | 'id' | 'label' | 'maxLength' | 'min' | 'max'
>

interface TextFieldProps extends FieldProps, InputAttributes {
  name: string
  value: string
  limit?: Limit
  onInput: (value: string) => void
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, limit = {}, onInput, ...input } = props
  const element = useRef<HTMLInputElement>(null)
  // The `autofocus` attribute works on page load and in dialogs, but not after navigation.
  useEffect(() => {
    if (input.autofocus) element.current?.focus()
  }, [])
  return (
    <Field {...{ label, hint, error }} {...(optional === undefined ? {} : { optional })}>
      {(attributes) => (
        <input
          ref={element}
          type="text"
          maxLength={limit.maxLength}
          min={limit.minimum}
          max={limit.maximum}
          {...input}
          {...attributes}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface ColorFieldProps extends FieldProps {
  name: string
  value: string
  onInput: (value: string) => void
}

/** A colour, picked or typed. */
export function ColorField({ name, value, onInput, ...field }: ColorFieldProps) {
  const isWhole = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <Field {...field} hint={texts('kit')('colorHint')}>
      {(attributes) => (
        <div class="row nowrap">
          <input
            type="color"
            aria-label={field.label}
            value={isWhole ? value : '#000000'}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
          <input
            type="text"
            {...attributes}
            {...{ name, value }}
            maxLength={limits.Color.maxLength}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        </div>
      )}
    </Field>
  )
}

interface TextAreaProps extends FieldProps {
  name: string
  value: string
  onInput: (value: string) => void
  rows?: number
  /** Whether a dialog opens with the focus here. */
  autofocus?: boolean
}

export function TextArea(props: TextAreaProps) {
  const { name, value, onInput, rows = 4, autofocus = false, ...field } = props
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          {...{ name, value, rows, autofocus }}
          {...attributes}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface CheckProps {
  label: ComponentChildren
  hint?: string
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ label, hint, name, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        {...{ name, checked }}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {label}
        {hint ? <small>{hint}</small> : null}
      </span>
    </label>
  )
}
