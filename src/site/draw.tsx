import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import {
  productFeed,
  robotsText,
  sitemap,
  textForModels,
  type Written,
} from './documents/documents.ts'
import type { DrawnPage } from './kept_pages.ts'
import { styleOf } from './look/stylesheets.ts'
import type { Config } from '../settings/config.ts'
import { aboutPage, faqPage, notFoundPage, privacyPage } from './pages/about.tsx'
import { facePage, routinePage } from './pages/assistant.tsx'
import { homePage } from './pages/home.tsx'
import {
  collectionPage,
  collectionsPage,
  productsPage,
  searchPage,
  tagPage,
} from './pages/lists.tsx'
import { informationPage, productPage } from './pages/product.tsx'
import { packRoughly } from './packing.ts'
import { Document } from './parts/document.tsx'
import { render } from './render.ts'
import type { Address, PageKind } from './address.ts'
import type { Shop, ShopPage } from './shop.ts'
import { pagePolicy } from './policy.ts'
import { widgetSubject } from './widget.ts'

/** Settings of the service that pages show or refer to. The API's origin serves pictures. */
export interface DrawSetting extends Pick<Config, 'baseUrl' | 'ai' | 'conversationDays'> {
  /** Whether links open beside the page, which stands in a frame. */
  isPreview?: boolean
}

/**
 * Draws what stands at an address of an open site: a page, a document or the page for neither. What was drawn
 * for an earlier version need not be packed again if it is still the same.
 */
export async function drawPage(
  db: Kysely<Database>,
  shop: Shop,
  address: Address,
  setting: DrawSetting,
  earlier?: DrawnPage,
): Promise<DrawnPage> {
  const written = await documents[address.kind]?.(db, shop, address, setting)
  if (written) return asSent(written, { status: written.status ?? 200, isListed: true }, earlier)
  const page = (await pages[address.kind]?.(db, shop, address, setting)) ?? notFoundPage(shop)
  return asPage(shop, page, setting, earlier)
}

/** What programs read; undefined for the kinds of pages. */
const documents: Partial<Record<PageKind, PageReader<Written>>> = {
  robots: (_db, shop) => robotsText(shop),
  sitemap: (db, shop, { page, hasPage }) => sitemap(db, shop, hasPage ? page : undefined),
  feed: (db, shop, { page }) => productFeed(db, shop, page),
  models: (db, shop) => textForModels(db, shop),
  widget: (db, shop, { name }) => widgetSubject(db, shop, name),
}

type PageReader<Content> = (
  db: Kysely<Database>,
  shop: Shop,
  address: Address,
  setting: DrawSetting,
) => Promise<Content | undefined> | Content | undefined

const pages: Partial<Record<PageKind, PageReader<ShopPage>>> = {
  home: (db, shop) => homePage(db, shop),
  products: (db, shop, { page }) => productsPage(db, shop, page),
  collections: (db, shop, { page }) => collectionsPage(db, shop, page),
  collection: (db, shop, { name, page }) => collectionPage(db, shop, name, page),
  tag: (db, shop, { name, page }) => tagPage(db, shop, name, page),
  product: (db, shop, { name }) => productPage(db, shop, name),
  information: (db, shop, { name }) => informationPage(db, shop, name),
  search: (db, shop, { name, page }) => searchPage(db, shop, name, page),
  about: (_db, shop) => aboutPage(shop),
  faq: (_db, shop) => faqPage(shop),
  privacy: (_db, shop, _address, setting) => privacyPage(shop, setting),
  routine: (_db, shop) => routinePage(shop),
  face: (_db, shop, _address, setting) => facePage(shop, setting),
}

/** Draws a page that is made. */
export async function asPage(
  shop: Shop,
  page: ShopPage,
  { baseUrl, isPreview }: DrawSetting,
  earlier?: DrawnPage,
): Promise<DrawnPage> {
  const { theme, template } = shop
  const style = styleOf(template.key, theme, page.top)
  const text = `<!doctype html>${render(<Document {...{ shop, page, style, isPreview }} />)}`
  const sent = await asSent(
    { type: 'text/html; charset=utf-8', text },
    {
      status: page.status ?? 200,
      isListed: shop.isListed && page.isListed !== false && page.status !== 404,
      policy: pagePolicy(style, baseUrl),
    },
    earlier,
  )
  return { ...sent, hasNoHit: page.hasNoHit }
}

async function asSent(
  { type, text }: Written,
  { status, isListed, policy }: { status: number; isListed: boolean; policy?: string },
  earlier: DrawnPage | undefined,
): Promise<DrawnPage> {
  const { plain, brotli, etag, isRough } = await packRoughly(text, earlier)
  return { plain, brotli, etag, isRough, type, policy, isListed, status }
}
