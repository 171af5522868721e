import type { Card, ShownCollection } from '../../queries/site/shop_windows.ts'
import type { Drawable } from '../jsx_runtime.ts'
import type { Shop } from '../shop.ts'
import { ofCard, srcsetOf } from './srcset.ts'

/**
 * Pictures at the top of a page that a phone shows as it opens. The browser fetches them at once, and all
 * others after the layout: twelve at the same time would hold up the stylesheet and the first of them.
 */
export const atTop = 4

interface PictureProps {
  shop: Shop
  src: string | null
  name: string
  index: number
  /** How many pictures of its grid are in view when the page opens. */
  inView: number
  children?: Drawable
}

/** A picture in the template's shape, or the first letter of its name. */
function Picture({ shop, src, name, index, inView, children }: PictureProps): Drawable {
  const [width, height] = shop.template.picture
  return (
    <span class="picture">
      {src === null ? (
        <span class="none" aria-hidden="true">
          {firstLetterOf(name, shop.language)}
        </span>
      ) : (
        <img
          src={src}
          srcset={srcsetOf(src, ofCard.widths)}
          sizes={ofCard.sizes}
          alt=""
          width={width}
          height={height}
          loading={index < inView ? undefined : 'lazy'}
          fetchpriority={index === 0 && inView > 0 ? 'high' : undefined}
          decoding="async"
        />
      )}
      {children}
    </span>
  )
}

/** What stands for a picture that is not there. */
export function firstLetterOf(name: string, language: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase(language) ?? ''
}

interface ProductGridProps {
  shop: Shop
  cards: Card[]
  /** Whether the grid begins a page of its own, where the first product may be larger. */
  isFirst?: boolean
  /** How many of its pictures are in view when the page opens. */
  inView?: number
}

export function ProductGrid(props: ProductGridProps): Drawable {
  const { shop, cards, isFirst = false, inView = 0 } = props
  if (cards.length === 0) return <p class="soft">{shop.t('empty')}</p>
  return (
    <ul class={isFirst ? 'grid edge first' : 'grid edge'}>
      {cards.map(({ slug, name, brand, isAvailable, cover }, index) => (
        <li class="card">
          <a href={`/p/${slug}`}>
            <Picture {...{ shop, name, index, inView }} src={cover}>
              {!isAvailable && <span class="badge">{shop.t('soldOut')}</span>}
            </Picture>
            <span class="name">{name}</span>
            {hasMaker(shop, { brand }) && <span class="brand">{brand}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Whether a brand says more than the name of the shop does. */
export function hasMaker({ name }: Shop, { brand }: { brand: string }): boolean {
  return brand !== '' && brand !== name
}

interface CollectionGridProps {
  shop: Shop
  collections: ShownCollection[]
  /** How many of its pictures are in view when the page opens. */
  inView?: number
}

export function CollectionGrid({ shop, collections, inView = 0 }: CollectionGridProps): Drawable {
  return (
    <ul class="grid edge collections">
      {collections.map(({ slug, name, cover, products }, index) => (
        <li class="card">
          <a href={`/c/${slug}`}>
            <Picture {...{ shop, name, index, inView }} src={cover} />
            <span class="name">{name}</span>
            <span class="count">{shop.t('productCount', { count: products })}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

interface PagerProps {
  shop: Shop
  path: string
  page: number
  pages: number
}

export function Pager({ shop: { t }, path, page, pages }: PagerProps): Drawable {
  if (pages <= 1) return null
  return (
    <nav class="pages" aria-label={t('paging')}>
      {page > 1 && (
        <a href={pathOfPage(path, page - 1)} rel="prev">
          {t('previous')}
        </a>
      )}
      <span class="soft">{t('pageOf', { page, pages })}</span>
      {page < pages && (
        <a href={pathOfPage(path, page + 1)} rel="next">
          {t('next')}
        </a>
      )}
    </nav>
  )
}

/** The path of a page of a list; the first has none of its own. */
export function pathOfPage(path: string, page: number): string {
  if (page === 1) return path
  return `${path}${path.includes('?') ? '&' : '?'}page=${page}`
}

export function Crumbs(props: { shop: Shop; links: [href: string, label: string][] }): Drawable {
  const { shop, links } = props
  return (
    <nav class="crumbs" aria-label={shop.t('path')}>
      <ul>
        {[['/', shop.t('home')] as const, ...links].map(([href, label]) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
