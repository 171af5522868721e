import { Link } from 'wouter-preact'
import type { Column } from '../../kit/lists/table.tsx'
import { TagNames } from '../../kit/lists/tag_names.tsx'
import { formatDay, formatNumber, texts } from '../../language.ts'
import { Thumb } from '../media/thumb.tsx'
import type { Product } from './product_values.ts'
import { StatusPill } from './status.tsx'

interface DeletedActions {
  restore: (product: Product) => void
  remove: (product: Product) => void
}

/** In the view of deleted products, each can be restored or deleted for good. */
export function columnsFor(base: string, deleted?: DeletedActions): Column<Product>[] {
  const [t, f] = [texts('catalogue'), texts('fields')]
  const columns: Column<Product>[] = [
    {
      title: f('name'),
      main: true,
      sort: 'name',
      cell: ({ id, name, sku, images: [cover] }) => (
        <div class="cell-main">
          <Thumb media={cover} />
          <div class="grow">
            <Link class="clamp" href={`${base}/${id}`}>
              {name}
            </Link>
            <small class="clamp">{sku}</small>
          </div>
        </div>
      ),
    },
    {
      title: f('brand'),
      wide: true,
      cell: ({ brand }) => <span class="clamp">{brand}</span>,
    },
    { title: f('status'), cell: ({ status }) => <StatusPill status={status} /> },
    { title: f('stock'), sort: 'stock', numeric: true, cell: ({ stock }) => formatNumber(stock) },
    {
      title: f('tags'),
      wide: true,
      cell: ({ tags }) => <TagNames tags={tags} />,
    },
    {
      title: t('added'),
      sort: 'createdAt',
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
    },
  ]
  if (!deleted) return columns
  // All have one status, and the place is needed for the way back.
  const shown = columns.filter(({ title }) => title !== f('status') && title !== f('tags'))
  const actions: Column<Product> = {
    title: texts('kit')('actions'),
    numeric: true,
    cell: (product) => (
      <div class="cell-actions">
        <button
          type="button"
          aria-label={t('restoreNamed', { name: product.name })}
          onClick={() => deleted.restore(product)}
        >
          {t('restoreProduct')}
        </button>
        <button
          type="button"
          aria-label={t('deleteForGoodNamed', { name: product.name })}
          onClick={() => deleted.remove(product)}
        >
          {t('deleteForGood')}
        </button>
      </div>
    ),
  }
  return [...shown, actions]
}
