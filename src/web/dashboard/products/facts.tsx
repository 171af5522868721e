import { CopyButton } from '../../kit/shell/copy.tsx'
import { formatTime, texts } from '../../language.ts'
import type { Product } from './product_values.ts'

/** What the service decides about a product: its address and its dates. */
export function ProductFacts({ product }: { product: Product }) {
  const t = texts('catalogue')
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{t('facts')}</h2>
      <dl class="facts">
        <dt class="muted">{t('slug')}</dt>
        <dd class="break">
          {product.slug} <CopyButton text={product.slug} label={t('copySlug')} />
        </dd>
        <dt class="muted">{t('added')}</dt>
        <dd>{formatTime(product.createdAt)}</dd>
        <dt class="muted">{t('updated')}</dt>
        <dd>{formatTime(product.updatedAt)}</dd>
      </dl>
    </section>
  )
}
