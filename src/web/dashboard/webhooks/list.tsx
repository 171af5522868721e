import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatDay, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { ShownSecret } from './shown_secret.tsx'
import { StatusPill } from './status_pill.tsx'
import { WebhookDialog } from './webhook_dialog.tsx'

type Webhook = Schemas['Webhook']

export function WebhooksPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('webhooks')
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<Schemas['WebhookWithSecret'] | undefined>()
  const params = { path: { workspaceId } }
  const list = useLoad(
    (signal) => ask(api.GET('/v1/workspaces/{workspaceId}/webhooks', { signal, params })),
    [workspaceId],
  )
  const create = async (body: Schemas['WebhookCreate']) => {
    setCreated(await ask(api.POST('/v1/workspaces/{workspaceId}/webhooks', { params, body })))
    list.reload()
  }
  const newWebhook = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {t('new')}
    </button>
  )
  return (
    <Page title={t('title')} about={t('about')} actions={newWebhook}>
      {created ? (
        <ShownSecret secret={created.secret} onDone={() => setCreated(undefined)} />
      ) : null}
      <Loaded load={list}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty icon="link" title={t('none')} hint={t('noneHint')}>
              {newWebhook}
            </Empty>
          ) : (
            <Table caption={t('title')} columns={columnsIn(workspaceId)} rows={webhooks} />
          )
        }
      </Loaded>
      {creating ? (
        <WebhookDialog title={t('new')} save={create} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  )
}

function columnsIn(workspaceId: string): Column<Webhook>[] {
  const t = texts('webhooks')
  return [
    {
      title: t('url'),
      main: true,
      cell: ({ id, url, description }) => (
        <div class="cell-main">
          <div class="break">
            <Link href={`/w/${workspaceId}/webhooks/${id}`}>
              <b>{url}</b>
            </Link>
            <small>{description}</small>
          </div>
        </div>
      ),
    },
    {
      title: t('events'),
      wide: true,
      cell: ({ events }) => t('eventCount', { count: events.length }),
    },
    { title: t('status'), cell: (webhook) => <StatusPill webhook={webhook} /> },
    {
      title: t('since'),
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
    },
  ]
}
