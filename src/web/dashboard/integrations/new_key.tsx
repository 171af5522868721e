import { useRef } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { focusFirstError, FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { readScopes, ScopePicker } from './scopes.tsx'

interface NewKeyProps {
  onCreated: (key: Schemas['CreatedKey']) => void
  /** Absent for the first key: there is no list to go back to. */
  onCancel?: () => void
}

const { maximum } = limits.KeyCreate.expiresInDays
const shorter = [7, 30, 90, 180].filter((days) => days < maximum)
const lifetimes = [...shorter, maximum].map(String)

interface KeyValues {
  name: string
  scopes: Schemas['Scope'][]
  expiresInDays: string
}

/** Form for a new key, with defaults filled in. */
export function NewKey({ onCreated, onCancel }: NewKeyProps) {
  const [t, k] = [texts('integrations'), texts('kit')]
  const element = useRef<HTMLFormElement>(null)
  const isFirst = onCancel === undefined
  const form = useForm<KeyValues>({
    // The first key needs no typing; later ones need a distinguishing name.
    name: isFirst ? t('firstKeyName') : '',
    scopes: readScopes,
    expiresInDays: '90',
  })
  const { values, errors, set } = form
  const create = async () => {
    const done = await form.save(async ({ expiresInDays, ...rest }) => {
      const body = { ...rest, expiresInDays: Number(expiresInDays) }
      onCreated(await ask(api.POST('/api/keys', { body })))
    })
    if (!done) focusFirstError(element.current)
  }
  return (
    <form
      ref={element}
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <FormFault form={form} />
      <div class="pair">
        <TextField
          {...form.text('name')}
          label={t('name')}
          hint={t('nameHint')}
          limit={limits.KeyCreate.name}
          autofocus={!isFirst}
        />
        <SelectField
          name="expiresInDays"
          label={t('expiresIn')}
          value={values.expiresInDays}
          error={errors['expiresInDays']}
          choices={lifetimes.map((value) => ({
            value,
            label: t('days', { count: Number(value) }),
          }))}
          onChange={(days) => set('expiresInDays', days)}
        />
      </div>
      <ScopePicker
        selected={values.scopes}
        error={errors['scopes']}
        onChange={(scopes) => set('scopes', scopes)}
      />
      <footer class="actions">
        {onCancel ? (
          <button type="button" onClick={onCancel}>
            {k('cancel')}
          </button>
        ) : null}
        <button type="submit" class="primary" disabled={form.busy}>
          {t('createKey')}
        </button>
      </footer>
    </form>
  )
}
