import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Row = Schemas['ProductStatistic'] & { id: string }

/** Views and questions of each product, answered and unanswered apart. */
export function Products({ from, to }: { from: string; to: string }) {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  // Other days begin on their first page.
  const days = `${from} ${to}`
  const [turned, setTurned] = useState({ days, page: 1 })
  const page = turned.days === days ? turned.page : 1
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/usage/products', {
          signal,
          params: { path: { workspaceId }, query: { from, to, days: 'SHOP', page, pageSize: 20 } },
        }),
      ),
    [workspaceId, from, to, page, timeZone],
  )
  return (
    <section class="stack" aria-labelledby="products">
      <h2 id="products">{t('products')}</h2>
      <Loaded load={list}>
        {({ products, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => setTurned({ days, page: Number(next) })}
            none={<Empty icon="bag" title={t('noProducts')} hint={t('nothingHint')} />}
          >
            <Table caption={t('products')} columns={columns()} rows={products.map(withId)} />
          </Paged>
        )}
      </Loaded>
    </section>
  )
}

const withId = (row: Schemas['ProductStatistic']): Row => ({ ...row, id: row.productId })

function columns(): Column<Row>[] {
  const t = texts('usage')
  const number = (title: string, valueOf: (row: Row) => number): Column<Row> => ({
    title,
    numeric: true,
    cell: (row) => formatNumber(valueOf(row)),
  })
  return [
    {
      title: t('name'),
      main: true,
      cell: ({ name }) => <b class="break">{name ?? t('deletedProduct')}</b>,
    },
    number(t('views'), ({ views }) => views),
    number(t('answered'), ({ questions, unanswered }) => questions - unanswered),
    number(t('unanswered'), ({ unanswered }) => unanswered),
  ]
}
