import { limits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { texts } from '../../language.ts'

interface DomainDialogProps {
  save: (values: Schemas['DomainCreate']) => Promise<void>
  onClose: () => void
}

export function DomainDialog({ save, onClose }: DomainDialogProps) {
  const [t, k] = [texts('domains'), texts('kit')]
  const form = useForm({ name: '' })
  return (
    <Dialog title={t('add')} onClose={onClose} dirty={form.dirty}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void form.save(async (values) => {
            await save(values)
            onClose()
          })
        }}
      >
        <FormFault form={form} />
        <TextField
          {...form.text('name')}
          label={t('name')}
          hint={t('nameHint')}
          limit={limits.DomainCreate.name}
          autofocus
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {t('add')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
