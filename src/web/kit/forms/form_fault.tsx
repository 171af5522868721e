import { texts } from '../../language.ts'
import { failureText } from '../shell/failures.ts'
import type { Form } from './use_form.ts'

/** A form's failure, with errors for which the form has no field. */
export function FormFault({ form }: { form: Pick<Form<unknown>, 'failure' | 'conflict'> }) {
  const t = texts('kit')
  const { failure, conflict } = form
  if (!failure || conflict) return null
  const hasFieldErrors = Object.keys(failure.fieldErrors).length > 0
  const otherErrors = Object.entries(failure.fieldErrors).filter(([name]) => !hasField(name))
  return (
    <div class="banner bad" role="alert">
      <p>{hasFieldErrors && otherErrors.length === 0 ? t('checkFields') : failureText(failure)}</p>
      {otherErrors.map(([name, reason]) => (
        <p key={name}>{reason}</p>
      ))}
    </div>
  )
}

/** A list in one field, such as a link on each line, has the errors of its items. */
function hasField(name: string): boolean {
  const names = [name, name.replace(/\.\d+$/, '')]
  return names.some((one) => document.querySelector(`[name="${CSS.escape(one)}"]`) !== null)
}

/** Focuses the first invalid field, after the errors have rendered. */
export function focusFirstError(form: HTMLElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)
}
