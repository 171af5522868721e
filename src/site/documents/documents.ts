import type { Kysely } from 'kysely'
import { paginationOf } from '../../core/paging.ts'
import { withoutTags } from '../../core/strangers_words.ts'
import type { Database } from '../../db/schema.ts'
import {
  listFeedItems,
  listMappedProducts,
  type MappedPage,
} from '../../queries/site/shop_documents.ts'
import { listNewestCards, listShownCollections } from '../../queries/site/shop_windows.ts'
import { shopTools } from '../agents/tools.ts'
import { beginningOf } from '../parts/prose.tsx'
import type { Shop } from '../shop.ts'

/* What programs read of a shop: search engines, feeds and models. */

export interface Written {
  type: string
  text: string
  /** By default 200. */
  status?: number
}

/** Not the search, whose pages have no end, nor the links that leave the shop. */
export function robotsText({ url }: Pick<Shop, 'url'>): Written {
  const lines = [
    'User-agent: *',
    'Disallow: /search',
    'Disallow: /out/',
    '',
    `Sitemap: ${url}/sitemap.xml`,
  ]
  return { type: 'text/plain; charset=utf-8', text: `${lines.join('\n')}\n` }
}

/** Addresses in one part of a sitemap: some hundred kilobytes. */
const mappedInPart = 2000
const xml = 'application/xml; charset=utf-8'

/** The whole sitemap, or an index of its parts if there are several; `part` counts from 1. */
export async function sitemap(
  db: Kysely<Database>,
  shop: Shop,
  part: number | undefined,
): Promise<Written | undefined> {
  const parts = Math.max(1, Math.ceil(shop.products / mappedInPart))
  if (part === undefined && parts > 1) return sitemapIndex(shop, parts)
  const number = part ?? 1
  if (number > parts) return undefined
  const place = { limit: mappedInPart, offset: (number - 1) * mappedInPart }
  const products = await listMappedProducts(db, { workspaceId: shop.workspaceId, ...place })
  const pages = number === 1 ? await fixedPages(db, shop) : []
  const entries = [
    ...pages,
    ...products.map((product) => entryOf(shop, `/p/${product.slug}`, product)),
  ]
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${entries.join('\n')}
</urlset>
`
  return { type: xml, text }
}

function sitemapIndex({ url }: Shop, parts: number): Written {
  const entries = Array.from(
    { length: parts },
    (_, index) => `<sitemap><loc>${url}/sitemap.xml?page=${index + 1}</loc></sitemap>`,
  )
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</sitemapindex>
`
  return { type: xml, text }
}

/** Collections in the sitemap: more than any shop shows. */
const collectionsMapped = 1000

async function fixedPages(db: Kysely<Database>, shop: Shop): Promise<string[]> {
  const place = { page: 1, pageSize: collectionsMapped }
  const { collections } = await listShownCollections(db, shop.workspaceId, place)
  const paths = ['/', '/products', '/privacy', '/about']
  if (collections.length > 0) paths.push('/collections')
  if (shop.questions.length + shop.knowledge.length > 0) paths.push('/faq')
  if (shop.assistant.hasRoutines) paths.push('/routine')
  if (shop.assistant.hasFaces) paths.push('/face')
  return [
    ...paths.map((path) => entryOf(shop, path)),
    ...collections.map(({ slug, cover }) => entryOf(shop, `/c/${slug}`, { cover })),
  ]
}

function entryOf({ url }: Shop, path: string, page: Partial<MappedPage> = {}): string {
  const { updatedAt, cover } = page
  const changed = updatedAt === undefined ? '' : `<lastmod>${updatedAt}</lastmod>`
  const image = cover ? `<image:image><image:loc>${xmlText(cover)}</image:loc></image:image>` : ''
  return `<url><loc>${xmlText(url + path)}</loc>${changed}${image}</url>`
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const feedSize = 50
/** Characters of a description in the feed: enough to choose by. */
const feedText = 1000

/** The published products as JSON, a page at a time. */
export async function productFeed(
  db: Kysely<Database>,
  shop: Shop,
  page: number,
): Promise<Written | undefined> {
  const place = { page, pageSize: feedSize, length: feedText + 1 }
  const { items, total } = await listFeedItems(db, shop.workspaceId, place)
  const pagination = paginationOf(page, feedSize, total)
  if (page > Math.max(1, pagination.totalPages)) return undefined
  const feed = {
    shop: { name: shop.name, url: `${shop.url}/`, language: shop.language },
    products: items.map(({ slug, isAvailable, description, ...item }) => ({
      url: `${shop.url}/p/${slug}`,
      slug,
      ...item,
      description: beginningOf(description, feedText),
      available: isAvailable,
    })),
    pagination,
  }
  return { type: 'application/json; charset=utf-8', text: JSON.stringify(feed) }
}

const productsForModels = 50

/** What a model should know to help somebody in this shop, and where to read on. */
export async function textForModels(db: Kysely<Database>, shop: Shop): Promise<Written> {
  const { url, website, workspaceId, products: total, t } = shop
  const first = { page: 1, pageSize: productsForModels }
  const cards = await listNewestCards(db, workspaceId, first, total)
  const { collections } = await listShownCollections(db, workspaceId, first)
  const lines = [
    `# ${lineOf(shop.name)}`,
    '',
    quoted(website.tagline || website.headline || website.seo.description || shop.name),
    '',
    ...(website.about === '' ? [] : [quoted(beginningOf(website.about, 2000)), '']),
    `- [${t('products')}](${url}/products.json): JSON, ${total}, ?page=`,
    `- [MCP](${url}/mcp): ${shopTools.map(({ name }) => name).join(', ')}`,
    `- [Sitemap](${url}/sitemap.xml)`,
    ...(website.contactEmail === null ? [] : [`- ${t('contact')}: ${website.contactEmail}`]),
    '',
    ...(collections.length > 0 ? [`## ${t('collections')}`, ''] : []),
    ...collections.map(({ slug, name }) => `- [${lineOf(name)}](${url}/c/${slug})`),
    '',
    `## ${t('products')}`,
    '',
    ...cards.map(
      ({ slug, name, brand }) =>
        `- [${lineOf(name)}](${url}/p/${slug})${brand === '' ? '' : `: ${lineOf(brand)}`}`,
    ),
  ]
  return { type: 'text/markdown; charset=utf-8', text: withoutTags(`${lines.join('\n')}\n`) }
}

/**
 * A text of the shop as a quotation of one line: no model takes its words for ours, and none of them begins a
 * heading, a list or a rule.
 */
function quoted(text: string): string {
  const line = lineOf(text).replace(/^[#>+*=~|_-]/, '\\$&')
  return `> ${line.replace(/^(\d+)(?=[.)] )/, '$1\\')}`
}

/** A text as part of one line, without what would make it a link, a heading or markup. */
function lineOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\`]/g, '')
    .replaceAll('<', '&lt;')
    .trim()
}
