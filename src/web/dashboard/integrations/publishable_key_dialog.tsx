import { limits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { originsIn } from '../../kit/forms/addresses.ts'
import { numberIn, TextArea, TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { texts } from '../../language.ts'

interface PublishableKeyDialogProps {
  save: (values: Schemas['PublishableKeyCreate']) => Promise<void>
  onClose: () => void
}

/** A new key: where it works, and what its chats may cost. */
export function PublishableKeyDialog({ save, onClose }: PublishableKeyDialogProps) {
  const [t, k] = [texts('publishable'), texts('kit')]
  const form = useForm({ name: '', origins: '', dailyCredits: '200' })
  // An error names the line of its origin.
  const [, originError] =
    Object.entries(form.errors).find(([field]) => field.startsWith('origins')) ?? []
  return (
    <Dialog title={t('new')} onClose={onClose} dirty={form.dirty}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void form.save(async ({ name, origins, dailyCredits }) => {
            await save({ name, origins: originsIn(origins), dailyCredits: numberIn(dailyCredits) })
            onClose()
          })
        }}
      >
        <FormFault form={form} />
        <TextField
          {...form.text('name')}
          label={t('name')}
          limit={limits.PublishableKeyCreate.name}
          autofocus
        />
        <TextArea
          {...form.text('origins')}
          error={originError}
          label={t('origins')}
          hint={t('originsHint')}
          rows={3}
        />
        <TextField
          {...form.text('dailyCredits')}
          type="number"
          label={t('dailyCredits')}
          hint={t('dailyCreditsHint')}
          limit={limits.PublishableKeyCreate.dailyCredits}
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {t('create')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
