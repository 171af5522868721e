import { api, ask, type Schemas } from '../../api.ts'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useQuery } from '../../kit/lists/use_query.ts'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Delivery = Schemas['WebhookDelivery']

const webhookPath = '/v1/workspaces/{workspaceId}/webhooks/{id}'
const tones: Record<Delivery['status'], Tone> = {
  DELIVERED: 'good',
  PENDING: 'info',
  FAILED: 'bad',
}

/** What was sent to a webhook, with a test and a way to send again. */
export function Deliveries({ webhookId: id }: { webhookId: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('webhooks')
  const [{ page }, change] = useQuery({ page: '1' })
  const path = { workspaceId, id }
  const list = useLoad(
    (signal) =>
      ask(
        api.GET(`${webhookPath}/deliveries`, {
          signal,
          params: { path, query: { page: Number(page), pageSize: 25 } },
        }),
      ),
    [workspaceId, id, page],
  )
  const begun = () => {
    toast(t('sent'))
    list.reload()
  }
  const test = () =>
    void ask(api.POST(`${webhookPath}/test`, { params: { path } })).then(begun, toastFailure)
  const resend = (deliveryId: string) =>
    void ask(
      api.POST(`${webhookPath}/deliveries/{deliveryId}/resend`, {
        params: { path: { ...path, deliveryId } },
      }),
    ).then(begun, toastFailure)
  return (
    <section class="card" aria-labelledby="deliveries">
      <header>
        <h2 id="deliveries">{t('deliveries')}</h2>
        <button type="button" onClick={list.reload}>
          {t('refresh')}
        </button>
        <button type="button" onClick={test}>
          {t('test')}
        </button>
      </header>
      <Loaded load={list}>
        {({ deliveries, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={<p class="muted">{t('noDeliveries')}</p>}
          >
            <Table caption={t('deliveries')} columns={columnsWith(resend)} rows={deliveries} />
          </Paged>
        )}
      </Loaded>
    </section>
  )
}

function columnsWith(resend: (id: string) => void): Column<Delivery>[] {
  const [t, k] = [texts('webhooks'), texts('kit')]
  return [
    { title: t('event'), main: true, cell: ({ type }) => <b class="break">{type}</b> },
    {
      title: t('status'),
      cell: ({ status, error }) => (
        <span class="break">
          <Pill tone={tones[status]}>{t(`status.${status}`)}</Pill> {error}
        </span>
      ),
    },
    { title: t('attempts'), numeric: true, wide: true, cell: ({ attempts }) => attempts },
    {
      title: t('when'),
      cell: ({ lastAttemptAt, createdAt }) => (
        <span class="muted nowrap-text">{formatTime(lastAttemptAt ?? createdAt)}</span>
      ),
    },
    {
      title: k('actions'),
      numeric: true,
      cell: ({ id, type }) => (
        <button
          type="button"
          class="plain"
          aria-label={t('resendOne', { type })}
          onClick={() => resend(id)}
        >
          {t('resend')}
        </button>
      ),
    },
  ]
}
