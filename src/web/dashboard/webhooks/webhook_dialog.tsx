import { limits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { CheckField, TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { texts } from '../../language.ts'

type WebhookEvent = Schemas['WebhookEvent']

const groups = {
  'group.catalogue': [
    'product.changed',
    'product.deleted',
    'product.out_of_stock',
    'collection.changed',
    'collection.deleted',
    'tag.changed',
    'tag.deleted',
    'media.changed',
    'media.deleted',
  ],
  'group.others': [
    'website.changed',
    'feedback.created',
    'wallet.low',
    'change_set.applied',
    'change_set.waiting',
  ],
} satisfies Record<string, WebhookEvent[]>
const groupNames = ['group.catalogue', 'group.others'] as const

interface WebhookDialogProps {
  title: string
  webhook?: Schemas['Webhook']
  save: (values: Schemas['WebhookCreate']) => Promise<void>
  onClose: () => void
}

/** The URL of a webhook and what it is told. */
export function WebhookDialog({ title, webhook, save, onClose }: WebhookDialogProps) {
  const [t, k] = [texts('webhooks'), texts('kit')]
  const form = useForm<Required<Schemas['WebhookCreate']>>({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: webhook?.events ?? ['product.changed', 'product.deleted'],
  })
  const { values, errors, set } = form
  const choose = (event: WebhookEvent, checked: boolean) =>
    set(
      'events',
      checked ? [...values.events, event] : values.events.filter((one) => one !== event),
    )
  return (
    <Dialog title={title} size="large" onClose={onClose} dirty={form.dirty}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void form.save(async (body) => {
            await save(body)
            onClose()
          })
        }}
      >
        <FormFault form={form} />
        <TextField
          {...form.text('url')}
          label={t('url')}
          hint={t('urlHint')}
          limit={limits.WebhookCreate.url}
          autofocus
        />
        <TextField
          {...form.text('description')}
          label={t('description')}
          limit={limits.WebhookCreate.description}
        />
        <fieldset class="stack">
          <legend>{t('events')}</legend>
          {errors['events'] ? <p class="error">{errors['events']}</p> : null}
          <div class="pair">
            {groupNames.map((group) => (
              <fieldset key={group} class="scope-group">
                <legend>{t(group)}</legend>
                {groups[group].map((event) => (
                  <CheckField
                    key={event}
                    name="events"
                    label={t(`event.${event}`)}
                    hint={event}
                    checked={values.events.includes(event)}
                    onChange={(checked) => choose(event, checked)}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </fieldset>
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {k('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
