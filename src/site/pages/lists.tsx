import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  type Card,
  findShownCollection,
  findTagName,
  listCards,
  listCollectionCards,
  listNewestCards,
  listShownCollections,
} from '../../queries/site/shop_windows.ts'
import { listFacts, pathFacts } from '../documents/facts.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { SearchForm } from '../parts/header.tsx'
import { atTop, CollectionGrid, Pager, pathOfPage, ProductGrid } from '../parts/lists.tsx'
import { beginningOf, Prose, summaryOf } from '../parts/prose.tsx'
import type { Shop, ShopPage } from '../shop.ts'

const pageSize = 24

interface List {
  shop: Shop
  path: string
  page: number
  name: string
  cards: Card[]
  total: number
  /** What stands between the heading and the products. */
  intro?: Drawable
  /** What stands beneath them. */
  after?: Drawable
}

const pagesOf = (total: number) => Math.max(1, Math.ceil(total / pageSize))

/** The name of a page of a list, for its title. */
function titleOf({ shop, name, page, total }: Omit<List, 'cards' | 'path'>): string {
  const { t } = shop
  const part = page === 1 ? '' : ` · ${t('pageOf', { page, pages: pagesOf(total) })}`
  return `${name}${part} · ${shop.name}`
}

/** What a page of a list says of itself; the second page says something else than the first. */
function summaryIn(
  { shop: { t }, page, total }: Pick<List, 'shop' | 'page' | 'total'>,
  text: string,
): string {
  const part = page === 1 ? '' : `${t('pageOf', { page, pages: pagesOf(total) })} · `
  return summaryOf(part + text)
}

/** A list of products; undefined beyond its last page. */
function listPage(list: List, description: string): ShopPage | undefined {
  const { shop, path, page, name, cards, total, intro, after } = list
  if (page > pagesOf(total)) return undefined
  const own = pathOfPage(path, page)
  return {
    path: own,
    title: titleOf(list),
    description: summaryIn(list, description),
    image: cards[0]?.cover,
    facts: [pathFacts(shop, [[path, name]]), listFacts(shop, cards)],
    body: (
      <div class="wide list">
        <div class="head">
          <h1>{name}</h1>
          <p class="soft">{shop.t('productCount', { count: total })}</p>
          {intro}
        </div>
        <ProductGrid shop={shop} cards={cards} isFirst inView={atTop} />
        <Pager shop={shop} path={path} page={page} pages={pagesOf(total)} />
        {after}
      </div>
    ),
  }
}

export async function productsPage(
  db: Kysely<Database>,
  shop: Shop,
  page: number,
): Promise<ShopPage | undefined> {
  const { workspaceId, products: total, name, t } = shop
  const cards = await listNewestCards(db, workspaceId, { page, pageSize }, total)
  const intro = <Tags tags={shop.tags} />
  const list = { shop, path: '/products', page, name: t('products'), cards, total, intro }
  return listPage(list, total === 0 ? t('empty') : t('productsSummary', { name, count: total }))
}

export function Tags({ tags }: { tags: { id: string; name: string }[] }): Drawable {
  if (tags.length === 0) return null
  return (
    <ul class="chips">
      {tags.map(({ id, name }) => (
        <li>
          <a href={`/t/${id}`}>{name}</a>
        </li>
      ))}
    </ul>
  )
}

/** Characters of a collection's text above its products: a few lines of a phone. */
const textAbove = 200

export async function collectionPage(
  db: Kysely<Database>,
  shop: Shop,
  slug: string,
  page: number,
): Promise<ShopPage | undefined> {
  const { workspaceId, t } = shop
  const collection = await findShownCollection(db, { workspaceId, slug })
  if (!collection) return undefined
  const { id, name, description } = collection
  const { cards, total } = await listCollectionCards(db, workspaceId, id, { page, pageSize })
  const isLong = description.length > textAbove
  const intro = description !== '' && (
    <div class="text">
      <Prose text={isLong ? beginningOf(description, textAbove) : description} />
      {isLong && <a href="#text">{t('readAll')}</a>}
    </div>
  )
  const after = isLong && (
    <div class="section text" id="text">
      <Prose text={description} />
    </div>
  )
  const list = { shop, path: `/c/${slug}`, page, name, cards, total, intro, after }
  const usual = t('collectionSummary', { collection: name, name: shop.name })
  return listPage(list, description.trim() || usual)
}

export async function tagPage(
  db: Kysely<Database>,
  shop: Shop,
  tagId: string,
  page: number,
): Promise<ShopPage | undefined> {
  const { workspaceId, t } = shop
  const tag = await findTagName(db, { workspaceId, id: tagId })
  if (!tag) return undefined
  const { cards, total } = await listCards(db, workspaceId, { tagId }, { page, pageSize })
  // A tag of drafts alone says what the shop is working on.
  if (total === 0) return undefined
  const list = { shop, path: `/t/${tagId}`, page, name: tag.name, cards, total }
  return listPage(list, t('tagged', { name: tag.name }))
}

export async function collectionsPage(
  db: Kysely<Database>,
  shop: Shop,
  page: number,
): Promise<ShopPage | undefined> {
  const { workspaceId, t } = shop
  const { collections, total } = await listShownCollections(db, workspaceId, { page, pageSize })
  if (page > pagesOf(total)) return undefined
  const name = t('collections')
  const list = { shop, name, page, total }
  const usual = t('collectionsSummary', { name: shop.name, count: total })
  return {
    path: pathOfPage('/collections', page),
    title: titleOf(list),
    description: summaryIn(list, total === 0 ? t('empty') : usual),
    image: collections[0]?.cover,
    facts: [pathFacts(shop, [['/collections', name]])],
    body: (
      <div class="wide list">
        <div class="head">
          <h1>{name}</h1>
        </div>
        {collections.length === 0 ? (
          <p class="soft">{t('empty')}</p>
        ) : (
          <CollectionGrid shop={shop} collections={collections} inView={atTop} />
        )}
        <Pager shop={shop} path="/collections" page={page} pages={pagesOf(total)} />
      </div>
    ),
  }
}

export async function searchPage(
  db: Kysely<Database>,
  shop: Shop,
  query: string,
  page: number,
): Promise<ShopPage | undefined> {
  const { workspaceId, t } = shop
  const path = query === '' ? '/search' : `/search?q=${encodeURIComponent(query)}`
  const filters = { search: query }
  const { cards, total } =
    query === ''
      ? { cards: [], total: 0 }
      : await listCards(db, workspaceId, filters, { page, pageSize })
  if (page > pagesOf(total)) return undefined
  const name =
    query === ''
      ? t('searchHint')
      : total === 0
        ? t('noResults', { query })
        : t('results', { query, count: total })
  return {
    path: pathOfPage(path, page),
    title: `${name} · ${shop.name}`,
    description: summaryOf(t('searchSummary', { name: shop.name })),
    isListed: false,
    hasNoHit: total === 0 && query !== '',
    body: (
      <div class="wide list">
        <div class="head">
          <h1>{name}</h1>
          <SearchForm shop={shop} id="q2" value={query} />
        </div>
        {total > 0 && <ProductGrid shop={shop} cards={cards} inView={atTop} />}
        {total === 0 && query !== '' && <Nothing shop={shop} />}
        <Pager shop={shop} path={path} page={page} pages={pagesOf(total)} />
      </div>
    ),
  }
}

function Nothing({ shop: { t } }: { shop: Shop }): Drawable {
  return (
    <div class="stack">
      <p>{t('noResultsHint')}</p>
      <p>
        <a class="button" href="/products">
          {t('seeAll')}
        </a>
      </p>
    </div>
  )
}
