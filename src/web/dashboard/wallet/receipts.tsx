import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatDay, formatMoney, formatNumber, formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Receipt = Schemas['Receipt']

/** The paid purchases, each with a receipt to print. */
export function Receipts() {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const [page, setPage] = useState('1')
  const [opened, setOpened] = useState<Receipt | undefined>()
  const params = { path: { workspaceId }, query: { page: Number(page), pageSize: 10 } }
  const list = useLoad(
    (signal) => ask(api.GET('/api/workspaces/{workspaceId}/receipts', { signal, params })),
    [workspaceId, page],
  )
  return (
    <section class="stack" aria-labelledby="receipts">
      <div>
        <h2 id="receipts">{t('receipts')}</h2>
        <p class="hint">{t('receiptsHint')}</p>
      </div>
      <Loaded load={list}>
        {({ receipts, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={setPage}
            none={<p class="muted">{t('noReceipts')}</p>}
          >
            <Table caption={t('receipts')} columns={columnsFor(setOpened)} rows={receipts} />
          </Paged>
        )}
      </Loaded>
      {opened ? <ReceiptDialog receipt={opened} onClose={() => setOpened(undefined)} /> : null}
    </section>
  )
}

function columnsFor(open: (receipt: Receipt) => void): Column<Receipt>[] {
  const t = texts('business')
  return [
    {
      title: t('paidOn'),
      cell: (receipt) => (
        <button
          type="button"
          class="link"
          aria-label={t('openReceipt', { date: formatDay(receipt.paidAt) })}
          onClick={() => open(receipt)}
        >
          {formatDay(receipt.paidAt)}
        </button>
      ),
    },
    {
      title: t('receipt'),
      wide: true,
      cell: ({ id }) => <code class="break">{id}</code>,
    },
    {
      title: t('bought'),
      numeric: true,
      cell: ({ credits }) => t('credits', { count: credits }),
    },
    {
      title: t('price'),
      numeric: true,
      cell: ({ price, currency }) => formatMoney(price, currency),
    },
  ]
}

interface ReceiptDialogProps {
  receipt: Receipt
  onClose: () => void
}

/** Printed alone: the page around it is left out. */
function ReceiptDialog({ receipt, onClose }: ReceiptDialogProps) {
  const t = texts('business')
  const { id, paidAt, credits, price, currency, refundedCredits } = receipt
  const lines = [
    [t('receipt'), id],
    [t('paidOn'), formatTime(paidAt)],
    [t('billedTo'), `${receipt.workspaceName}, ${receipt.billingEmail}`],
    [t('bought'), t('credits', { count: credits })],
    [t('price'), formatMoney(price, currency)],
    ...(refundedCredits > 0 ? [[t('refunded'), formatNumber(refundedCredits)] as const] : []),
  ] as const
  return (
    <Dialog title={`Vitrine · ${t('receipt')}`} onClose={onClose}>
      <dl class="receipt">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt class="muted">{label}</dt>
            <dd class="break">{value}</dd>
          </div>
        ))}
      </dl>
      <footer class="actions">
        <button type="button" class="primary" onClick={() => print()}>
          {t('print')}
        </button>
      </footer>
    </Dialog>
  )
}
