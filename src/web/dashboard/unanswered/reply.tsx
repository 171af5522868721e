import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { CheckField, TextArea } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

interface ReplyProps {
  question: Schemas['UnansweredQuestion']
  onClose: () => void
  onReplied: () => void
}

export function ReplyDialog({ question, onClose, onReplied }: ReplyProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('unanswered'), texts('kit')]
  const form = useForm<Schemas['QuestionAnswer']>({
    answer: '',
    addToLibrary: false,
    to: 'PRODUCT',
  })
  const isOfShop = form.values.to === 'SHOP'
  const reply = () =>
    form.save(async (body) => {
      const params = { path: { workspaceId, id: question.id } }
      const path = '/v1/workspaces/{workspaceId}/questions/unanswered/{id}'
      await ask(api.POST(path, { params, body }))
      toast(t(body.to === 'SHOP' ? 'repliedForShop' : 'replied'))
      onReplied()
      onClose()
    })
  return (
    <Dialog title={t('reply')} onClose={onClose} dirty={form.dirty}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void reply()
        }}
      >
        <FormFault form={form} />
        <p class="break">{question.text}</p>
        <TextArea
          {...form.text('answer')}
          label={t('answer')}
          hint={isOfShop ? t('shopHint') : t('answerHint', { product: question.productName })}
          autofocus
        />
        <SelectField
          name="to"
          label={t('to')}
          value={form.values.to}
          error={form.errors['to']}
          choices={(['PRODUCT', 'SHOP'] as const).map((value) => ({
            value,
            label: t(`to.${value}`, { product: question.productName }),
          }))}
          onChange={(to) => form.set('to', to)}
        />
        <CheckField
          name="addToLibrary"
          label={t('addToLibrary')}
          checked={form.values.addToLibrary}
          hint={form.errors['addToLibrary'] ?? t('addToLibraryHint')}
          onChange={(checked) => form.set('addToLibrary', checked)}
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {t('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
