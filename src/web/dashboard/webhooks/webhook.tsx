import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { DeleteButton } from '../delete_button.tsx'
import { Deliveries } from './deliveries.tsx'
import { ShownSecret } from './shown_secret.tsx'
import { StatusPill } from './status_pill.tsx'
import { WebhookDialog } from './webhook_dialog.tsx'

type Webhook = Schemas['Webhook']

const webhookPath = '/v1/workspaces/{workspaceId}/webhooks/{id}'

export function WebhookPage({ id }: { id: string }) {
  const { workspaceId } = useWorkspace()
  const params = { path: { workspaceId, id } }
  const load = useLoad((signal) => ask(api.GET(webhookPath, { signal, params })), [workspaceId, id])
  return (
    <Loaded load={load}>
      {(webhook) => <OneWebhook key={webhook.updatedAt} webhook={webhook} reload={load.reload} />}
    </Loaded>
  )
}

function OneWebhook({ webhook, reload }: { webhook: Webhook; reload: () => void }) {
  const { workspaceId } = useWorkspace()
  const t = texts('webhooks')
  const [editing, setEditing] = useState(false)
  const { id, url, description, events, status } = webhook
  const params = { path: { workspaceId, id } }
  const update = async (body: Schemas['WebhookUpdate']) => {
    await ask(api.PUT(webhookPath, { params, body }))
    toast(texts('kit')('saved'))
    reload()
  }
  const isActive = status === 'ACTIVE'
  const list = `/w/${workspaceId}/webhooks`
  const actions = (
    <>
      <button type="button" onClick={() => setEditing(true)}>
        {texts('kit')('edit')}
      </button>
      <button
        type="button"
        onClick={() =>
          void update({ status: isActive ? 'DISABLED' : 'ACTIVE' }).catch(toastFailure)
        }
      >
        {isActive ? t('disable') : t('enable')}
      </button>
      <DeleteButton
        name={url}
        action={texts('kit')('delete')}
        remove={() => ask(api.DELETE(webhookPath, { params }))}
        backTo={list}
      >
        {t('deleteHint')}
      </DeleteButton>
    </>
  )
  return (
    <Page
      title={url}
      about={description}
      crumb={{ href: list, label: t('title') }}
      actions={actions}
    >
      <section class="card stack">
        <p>
          <StatusPill webhook={webhook} />
        </p>
        {isActive ? null : <p>{t('disabledHint')}</p>}
        <p class="break muted">{events.join(', ')}</p>
        <Secret id={id} />
      </section>
      <Deliveries webhookId={id} />
      {editing ? (
        <WebhookDialog
          title={t('edit')}
          webhook={webhook}
          save={update}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Page>
  )
}

/** Gives the webhook another secret, after a confirmation. */
function Secret({ id }: { id: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('webhooks')
  const [confirming, setConfirming] = useState(false)
  const [secret, setSecret] = useState<string | undefined>()
  const rotate = async () => {
    const params = { path: { workspaceId, id } }
    setSecret((await ask(api.POST(`${webhookPath}/secret`, { params }))).secret)
  }
  if (secret !== undefined)
    return <ShownSecret secret={secret} onDone={() => setSecret(undefined)} />
  return (
    <div>
      <button type="button" onClick={() => setConfirming(true)}>
        {t('rotate')}
      </button>
      {confirming ? (
        <ConfirmDialog
          title={t('rotate')}
          action={t('rotate')}
          onConfirm={rotate}
          onClose={() => setConfirming(false)}
        >
          <p>{t('rotateHint')}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
