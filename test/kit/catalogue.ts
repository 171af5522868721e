import { createHash } from 'node:crypto'
import type { Response } from 'supertest'
import { expect } from 'vitest'
import { exampleOf } from '../../src/core/examples.ts'
import type { components } from '../../src/generated/types.ts'
import { deleteMedia, insertMedia } from '../../src/queries/media/media.ts'
import { type Client, type Person, type TestService, unique } from './service.ts'

type Schemas = components['schemas']
export type Product = Schemas['Product']
export type ProductWrite = Schemas['ProductUpdate']
export type Collection = Schemas['Collection']
export type Tag = Schemas['Tag']
export type Media = Schemas['Media']

/** A workspace with its owner, and a client whose key has every scope. */
export interface Shop {
  service: TestService
  person: Person
  key: string
  workspaceId: string
  api: Client
  /** A path inside the workspace. */
  at(path: string): string
}

export async function givenShop(service: TestService): Promise<Shop> {
  const person = await service.givenPerson()
  const { id } = await service.givenWorkspace(person)
  const { key } = await service.givenKey(person, { expiresInDays: 365 })
  const at = (path: string) => `/v1/workspaces/${id}/${path}`
  return { service, person, key, workspaceId: id, api: service.api(key), at }
}

/** A complete product body with unique values. */
export function productBody(changes: Partial<ProductWrite> = {}): ProductWrite {
  const value = unique('product')
  return {
    ...exampleOf('ProductUpdate'),
    name: value,
    brand: 'A brand',
    sku: `sku ${value}`,
    barcode: `barcode ${value}`,
    stock: 3,
    status: 'ACTIVE',
    description: 'Described.',
    information: 'Informed.',
    imageIds: [],
    tagIds: [],
    sales: [],
    ...changes,
  }
}

/** A product's values in the form of an update. */
export function editable(product: Product): ProductWrite {
  const values: ProductWrite = {
    ...product,
    imageIds: product.images.map(({ id }) => id),
    tagIds: product.tags.map(({ id }) => id),
  }
  const fields = Object.keys(exampleOf('ProductUpdate')) as (keyof ProductWrite)[]
  return Object.fromEntries(
    fields.map((field) => [field, values[field]]),
  ) as unknown as ProductWrite
}

async function create(shop: Shop, path: string, body: object): Promise<unknown> {
  const answer = await shop.api.post(shop.at(path)).send(body)
  expect(answer.body).not.toHaveProperty('code')
  return answer.body as unknown
}

export async function givenProduct(
  shop: Shop,
  changes: Partial<ProductWrite> = {},
): Promise<Product> {
  return (await create(shop, 'products', productBody(changes))) as Product
}

export async function givenCollection(
  shop: Shop,
  body: Partial<Schemas['CollectionCreate']> = {},
): Promise<Collection> {
  return (await create(shop, 'collections', { name: unique('collection'), ...body })) as Collection
}

export async function givenTag(shop: Shop, name = unique('tag')): Promise<Tag> {
  return (await create(shop, 'tags', { name })) as Tag
}

/** An image without bytes, for products and collections to refer to. */
export async function givenMediaRow(
  { service, workspaceId }: Pick<Shop, 'service' | 'workspaceId'>,
  fileName = `${unique('image')}.png`,
): Promise<Media> {
  const contentHash = createHash('sha256').update(unique('bytes')).digest('hex')
  const type = { mimeType: 'image/png', extension: 'png' } as const
  const size = { width: 1, height: 1, variants: 2, readyHash: contentHash } as const
  const stored = { ...type, ...size, fileName, sizeBytes: 68, contentHash }
  const id = await service.db
    .transaction()
    .execute((trx) => insertMedia(trx, workspaceId, stored, service.now()))
  const key = mediaKeyOf(workspaceId, contentHash, 'png')
  const url = `${service.config.baseUrl}/media/${key}`
  const createdAt = service.now().toISOString()
  const { mimeType } = stored
  return { id, fileName, mimeType, size: 68, kind: 'IMAGE', key, createdAt, usageCount: 0, url }
}

/** The key that is shown for content: its hash, cut to 22 characters. */
export function mediaKeyOf(workspaceId: string, contentHash: string, extension: string): string {
  const short = Buffer.from(contentHash.slice(0, 32), 'hex').toString('base64url')
  return `${workspaceId}/${short}.${extension}`
}

export async function deleteMediaRow({ service, workspaceId }: Shop, id: string): Promise<void> {
  await service.db.transaction().execute((trx) => deleteMedia(trx, workspaceId, id, service.now()))
}

/** Status, error code and field errors of an answer. */
export function outcomeOf({ status, body }: Response): [number, string, Record<string, string>] {
  const { code, fieldErrors = {} } = body as Schemas['ApiError']
  return [status, code, fieldErrors]
}

export const notFound = (what: string) => ({
  status: 404,
  code: 'not_found',
  message: `There is no such ${what}.`,
})

export const conflict = {
  status: 409,
  code: 'write_conflict',
  message: 'This has changed since you read it. Read it again, then write.',
}

export const duplicateErrors = {
  name: 'Another product has this name.',
  sku: 'Another product has this SKU.',
  barcode: 'Another product has this barcode.',
}
