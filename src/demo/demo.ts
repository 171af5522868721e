import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely, Transaction } from 'kysely'
import { type MediaStore, requireOwnStore } from '../adapters/media_store.ts'
import { parseJson } from '../core/json_text.ts'
import { hashToken, newToken, tokenPrefix } from '../core/secrets.ts'
import { day } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import { storeFile } from '../domain/media/media.ts'
import { insertMedia } from '../queries/media/media.ts'
import { getStoreStamp } from '../queries/upkeep/stamps.ts'
import { mergeQuestions } from '../domain/catalogue/questions.ts'
import { adjustCredits } from '../domain/credits/wallet.ts'
import { endDecoders } from '../domain/media/picture_lane.ts'
import { createWorkspace } from '../domain/site/workspaces.ts'
import { type Scope, scopes } from '../generated/operations.ts'
import type { ServiceConfig, Upload } from '../operation.ts'
import { ensureAccount, lockAndCheckEmpty } from '../queries/people/accounts.ts'
import { insertCollection, insertMember } from '../queries/catalogue/collections.ts'
import { insertKey } from '../queries/agents/keys.ts'
import { createProduct } from '../queries/catalogue/new_products.ts'
import { updateProductQuestions, updateQuestionLibrary } from '../queries/catalogue/questions.ts'
import { recordWebsite } from '../queries/catalogue/references.ts'
import { insertTag } from '../queries/catalogue/tags.ts'
import { getWebsite, updateWebsite } from '../queries/site/websites.ts'

const keyDays = 365
const accountEmail = 'demo@example.com'
const demoCredits = 500

/** Content of `demo.json`: enough to make a first call. */
export interface Demo {
  baseUrl: string
  dashboardUrl: string
  adminUrl: string
  /** The demo's shop; null where shops have no pages. */
  siteUrl: string | null
  accountEmail: string
  workspaceId: string
  apiKey: string
  /** Signs payment events of the built-in checkout. */
  webhookSecret: string
}

/**
 * Fills an empty development database, once, and writes the key to a file. Everything happens in one
 * transaction, the file included: if the process dies here, the next one starts over.
 */
export async function seedDemo(
  db: Kysely<Database>,
  config: ServiceConfig,
  mediaStore: MediaStore,
): Promise<void> {
  const now = new Date()
  // Kept even if the seeding fails: the store may have been stamped with it.
  const stamp = await getStoreStamp(db)
  await db.transaction().execute(async (trx) => {
    if (!(await lockAndCheckEmpty(trx))) return
    // Never store pictures in another environment's or database's media store.
    await requireOwnStore(mediaStore, { environment: config.environment, stamp })
    const account = await ensureAccount(trx, accountEmail, 'Demo')
    const shop = { name: 'Gül Kozmetik', subDomain: demoSubDomain, templateKey: 'beauty' }
    const workspace = await createWorkspace(trx, account.id, shop, now)
    await fillShop({ trx, mediaStore, workspaceId: workspace.id, now })
    const credits = { credits: demoCredits, reason: 'Credits to try AI with', reference: 'demo' }
    await adjustCredits(trx, workspace.id, { ...credits, now })
    const apiKey = newToken('key', config.environment)
    await insertKey(trx, account.id, {
      name: 'Demo key',
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(apiKey),
      keyHash: hashToken(apiKey),
      now,
      expiresAt: new Date(now.getTime() + keyDays * day),
    })
    const { baseUrl, dashboardUrl, adminUrl, siteDomain, webhookSecret } = config
    const siteUrl = siteDomain === undefined ? null : `http://${demoSubDomain}.${siteDomain}`
    const urls = { baseUrl, dashboardUrl, adminUrl, siteUrl }
    const secrets = { apiKey, webhookSecret }
    writeDemo(config, { ...urls, accountEmail, workspaceId: workspace.id, ...secrets })
  })
  // Several processes may serve: each starts its own when it needs one.
  endDecoders()
}

/** The name of the demo's shop in its address. */
export const demoSubDomain = 'gul-kozmetik'

interface Shop {
  trx: Transaction<Database>
  mediaStore: MediaStore
  workspaceId: string
  now: Date
}

/** Imports the catalogue lazily: later starts do not need it. */
async function fillShop(shop: Shop): Promise<void> {
  const { trx, workspaceId, now } = shop
  const [catalogue, { tags }, { products }] = await Promise.all([
    import('./catalogue.ts'),
    import('./kinds.ts'),
    import('./products.ts'),
  ])
  const { collections, productValues, productQuestions, questionLibrary } = catalogue
  const images = await storeImages(shop)
  const tagIds = new Map<string, string>()
  for (const name of tags) tagIds.set(name, (await insertTag(trx, workspaceId, { name }, now)).id)
  const idsOf = (ids: Map<string, string>, names: string[]) => names.map((name) => ids.get(name)!)

  const productIds = new Map<string, string>()
  for (const [index, product] of products.entries()) {
    const { sku, holds = [] } = product
    const values = {
      ...productValues(product),
      imageIds: idsOf(images, [sku, ...holds]),
      tagIds: idsOf(tagIds, product.tags),
    }
    const created = await createProduct(trx, workspaceId, values, inOrder(now, index))
    productIds.set(sku, parseJson(created).id)
  }
  for (const [index, { name, description, tags, holds }] of collections.entries()) {
    const values = { name, description, imageId: images.get(name)!, tagIds: idsOf(tagIds, tags) }
    const id = await insertCollection(trx, workspaceId, values, inOrder(now, index))
    for (const productId of idsOf(productIds, holds))
      await insertMember(trx, 'collection_products', workspaceId, id, productId)
  }

  const questionsOf = (texts: string[]) => mergeQuestions([], texts.map(textOnly), now)
  await updateQuestionLibrary(trx, workspaceId, questionsOf(questionLibrary))
  for (const [sku, texts] of Object.entries(productQuestions))
    await updateProductQuestions(trx, workspaceId, productIds.get(sku)!, questionsOf(texts))

  const website = { ...catalogue.website, logoImageId: images.get('Logo')! }
  const current = await getWebsite(trx, workspaceId)
  await updateWebsite(trx, workspaceId, { ...current, ...website }, now)
  await recordWebsite(trx, workspaceId, current, website, now)
}

const textOnly = (text: string) => ({ text })

/** Lists sort by time: rows with the same timestamp would have no defined order. */
function inOrder(now: Date, index: number): Date {
  return new Date(now.getTime() + index)
}

interface Drawing extends Upload {
  /** The subject of the picture: a SKU or a name. */
  of: string
}

/** Draws and stores every picture; returns their ids by what they show. */
async function storeImages(shop: Shop): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [index, drawing] of (await drawImages()).entries())
    ids.set(drawing.of, await storeImage(shop, drawing, inOrder(shop.now, index)))
  return ids
}

async function drawImages(): Promise<Drawing[]> {
  const [{ collections, formOf }, { products }, { drawBanner, drawLogo, drawProduct }] =
    await Promise.all([import('./catalogue.ts'), import('./products.ts'), import('./images.ts')])
  const webp = (of: string, name: string, bytes: Buffer): Drawing => ({
    of,
    read: () => Promise.resolve(bytes),
    fileName: `${name}.webp`,
    mimeType: 'image/webp',
  })
  const jpeg = (name: string, bytes: Buffer): Drawing => ({
    of: name,
    read: () => Promise.resolve(bytes),
    fileName: `${name}.jpg`,
    mimeType: 'image/jpeg',
  })
  // The last one is unused, as some pictures are in any real library.
  const banners = [...collections, { name: 'Yaz Kampanyası', hue: 48 }]
  return Promise.all([
    drawLogo({ name: 'Logo', hue: 340 }).then((bytes) => webp('Logo', 'Logo', bytes)),
    ...banners.map(async (banner) => jpeg(banner.name, await drawBanner(banner))),
    ...products.map(async (product) =>
      webp(product.sku, product.name, await drawProduct(product, formOf(product))),
    ),
  ])
}

async function storeImage(
  { trx, mediaStore, workspaceId }: Shop,
  drawing: Drawing,
  now: Date,
): Promise<string> {
  const file = await storeFile(mediaStore, workspaceId, drawing, drawing.fileName)
  return insertMedia(trx, workspaceId, file.media, now)
}

function writeDemo(config: ServiceConfig, demo: Demo): void {
  mkdirSync(config.dataDir, { recursive: true })
  writeFileSync(demoFile(config), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
}

export function readDemo(config: ServiceConfig): Demo | undefined {
  if (!existsSync(demoFile(config))) return undefined
  return JSON.parse(readFileSync(demoFile(config), 'utf8')) as Demo
}

function demoFile({ dataDir }: ServiceConfig): string {
  return join(dataDir, 'demo.json')
}
