import sharp from 'sharp'
import { exampleOf } from '../../src/core/examples.ts'
import { hashToken, newGuestToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import { day } from '../../src/core/time.ts'
import { openSession } from '../../src/domain/people/sessions.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import type { components } from '../../src/generated/types.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'
import type { ReleaseService, Request } from './service.ts'

type Schemas = components['schemas']

/** An account signed in to the dashboard, with a key of every scope. */
export interface Owner {
  accountId: string
  email: string
  headers: { Cookie: string }
  key: string
}

/** A workspace, and calls inside it by its owner's key. */
export interface Shop {
  workspaceId: string
  call<Answer>(request: Request): Promise<Answer>
}

let counter = 0
/** Numbers products, images and visitors. */
export const next = (): number => ++counter

export async function signIn(service: ReleaseService, email: string): Promise<Owner> {
  const now = service.now()
  const key = newToken('key', 'development')
  return service.write(async (trx) => {
    const name = email.slice(0, email.indexOf('@'))
    const circumstances = { environment: 'development', now } as const
    const signedIn = await openSession(trx, circumstances, { email, name }, undefined)
    const accountId = signedIn!.session.account.id
    await insertKey(trx, accountId, {
      name: `Key of ${name}`,
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(key),
      keyHash: hashToken(key),
      now,
      expiresAt: new Date(now.getTime() + 365 * day),
    })
    const headers = { Cookie: `vitrine_session=${signedIn!.token}` }
    return { accountId, email, headers, key }
  })
}

export function shopOf(service: ReleaseService, workspaceId: string, key: string): Shop {
  return {
    workspaceId,
    call: ({ path, headers, ...request }) =>
      service.call({
        ...request,
        path: `/v1/workspaces/${workspaceId}/${path}`,
        headers: { Authorization: `Bearer ${key}`, ...headers },
      }),
  }
}

export async function openShop(
  service: ReleaseService,
  owner: Owner,
  subDomain: string,
): Promise<Shop> {
  const { id } = await service.call<{ id: string }>({
    path: '/v1/workspaces',
    headers: { Authorization: `Bearer ${owner.key}`, 'Idempotency-Key': `open-${subDomain}` },
    body: { name: `Shop ${subDomain}`, subDomain, templateKey: 'beauty' },
  })
  return shopOf(service, id, owner.key)
}

export function drawImage(): Promise<Buffer> {
  const background = { r: next() % 256, g: 90, b: 140 }
  return sharp({ create: { width: 30, height: 30, channels: 3, background } })
    .png()
    .toBuffer()
}

export async function addImage(shop: Shop): Promise<string> {
  const bytes = await drawImage()
  const { id } = await shop.call<{ id: string }>({
    path: 'media',
    body: {
      fileName: `Image ${next()}.png`,
      mimeType: 'image/png',
      base64: bytes.toString('base64'),
    },
  })
  return id
}

export async function addProduct(
  shop: Shop,
  changes: Partial<Schemas['ProductUpdate']> = {},
): Promise<string> {
  const number = next()
  const body = {
    ...exampleOf('ProductUpdate'),
    name: `Gül suyu ${number}`,
    sku: `SKU-${number}`,
    barcode: `869${number}`,
    stock: 5,
    status: 'ACTIVE',
    imageIds: [],
    tagIds: [],
    ...changes,
  }
  const headers = { 'Idempotency-Key': `product-${number}` }
  const { id } = await shop.call<{ id: string }>({ path: 'products', headers, body })
  return id
}

/** The headers of a new guest. */
export function guestOf(service: ReleaseService, { workspaceId }: Shop): Record<string, string> {
  const deviceId = `device-of-guest-${next()}`
  const expires = new Date(service.now().getTime() + 90 * day)
  const guest = { workspaceId, deviceId }
  const token = newGuestToken(service.secretKey, 'development', guest, expires)
  return { 'X-Guest-Device-Id': deviceId, 'X-Guest-Token': token }
}

/** Signs a customer in to the site and returns their headers. */
export async function customerOf(
  service: ReleaseService,
  shop: Shop,
  email: string,
): Promise<Record<string, string>> {
  await shop.call({ path: 'experience/customer/otp/request', body: { name: 'A customer', email } })
  const { token } = await shop.call<{ token: string }>({
    path: 'experience/customer/otp/verify',
    body: { email, code: await service.codeFor(email) },
  })
  return { 'X-Visitor-Token': token }
}
