import { hashToken, newSecret, newToken } from '../../src/core/secrets.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { insertPublishableKey } from '../../src/queries/agents/publishable_keys.ts'
import { insertContactRequest } from '../../src/queries/administration/contact_requests.ts'
import { allScopes, type Person, type TestService, unique } from '../kit/service.ts'

/** Where resources are created: an owner and their workspace. */
export interface Place {
  service: TestService
  owner: Person
  workspace: { id: string }
}

/** Values that are unique among the products of a workspace. */
export function newIdentity(): Promise<{ name: string; sku: string; barcode: string }> {
  const value = unique('product')
  return Promise.resolve({ name: value, sku: value, barcode: value })
}

const keys = new WeakMap<Person, Promise<{ key: string }>>()

/** A key of a person for preparing what a test needs: another than the test's own, made once. */
export async function preparingKey({ service, owner }: Omit<Place, 'workspace'>): Promise<string> {
  const made = keys.get(owner) ?? service.givenKey(owner)
  keys.set(owner, made)
  return (await made).key
}

/** Creates a resource of the workspace through its operation. */
export async function create(scene: Place, path: string, body: object): Promise<{ id: string }> {
  const { service, workspace } = scene
  const key = await preparingKey(scene)
  const target = `/v1/workspaces/${workspace.id}/${path}`
  const answer = await service.api(key).post(target).send(body).expect(200)
  return { id: (answer.body as { id: string }).id }
}

/** An id under the name of its path parameter. */
export function idAs(
  name: string,
  make: (scene: Place) => Promise<{ id: string }>,
): (scene: Place) => Promise<Record<string, string>> {
  return async (scene) => ({ [name]: (await make(scene)).id })
}

/** Adds the credits for an AI call, then makes what else it needs. */
export function withCredits(
  make: (scene: Place) => Promise<Record<string, unknown>>,
): (scene: Place) => Promise<Record<string, unknown>> {
  return async (scene) => {
    const { service } = scene
    const move = { credits: 10, reason: 'For a call', reference: unique('call') }
    const now = service.now()
    await service.db
      .transaction()
      .execute((trx) => adjustCredits(trx, scene.workspace.id, { ...move, now }))
    return make(scene)
  }
}

export function aCollection(scene: Place): Promise<{ id: string }> {
  return create(scene, 'collections', { name: unique('collection') })
}

export function aTag(scene: Place): Promise<{ id: string }> {
  return create(scene, 'tags', { name: unique('tag') })
}

export async function aCheckout({ service, owner, workspace }: Place): Promise<{ id: string }> {
  const target = `/api/workspaces/${workspace.id}/checkout`
  const answer = await service.dashboard(owner).post(target).send({ pack: 5000 }).expect(201)
  return { id: (answer.body as { id: string }).id }
}

export async function aSource({ service, owner }: Place): Promise<{ id: string }> {
  return { id: (await service.givenAgent(owner)).sourceId }
}

export async function anAccount({ service }: Place): Promise<{ id: string }> {
  return { id: (await service.givenPerson()).accountId }
}

export async function aContactRequest({ service }: Place): Promise<{ id: string }> {
  const request = { ...(await aNewAddress()), name: 'A person', message: 'A question.' }
  const now = service.now()
  const id = await service.db
    .transaction()
    .execute((trx) => insertContactRequest(trx, request, now))
  return { id }
}

/** An agent's request for every scope, decided by its owner, who may decide again. */
export async function aConsentRequest({ service, owner }: Place): Promise<{ requestId: string }> {
  const { db } = service
  const { grantId } = await service.givenAgent(owner)
  const { client_id } = await db
    .selectFrom('grants')
    .select('client_id')
    .where('id', '=', grantId)
    .executeTakeFirstOrThrow()
  const requestId = newSecret()
  const request = {
    id_hash: hashToken(requestId),
    browser_hash: hashToken('a browser'),
    client_id,
    redirect_uri: 'http://127.0.0.1/callback',
    code_challenge: '',
    scopes: allScopes,
    expires_at: new Date(service.now().getTime() + 60_000),
    account_id: owner.accountId,
  }
  await db.insertInto('authorization_requests').values(request).execute()
  return { requestId }
}

export function aNewAddress(): Promise<{ email: string }> {
  return Promise.resolve({ email: `${unique('new')}@example.com` })
}

/** Inserted, because the caller may not be an owner. */
async function aPublishableKey({ service, workspace }: Place): Promise<{ id: string }> {
  const key = newToken('publishableKey', service.config.environment)
  const values = { name: 'Pages', key, origins: ['https://shop.example'], dailyCredits: 200 }
  const now = service.now()
  return service.db
    .transaction()
    .execute((trx) => insertPublishableKey(trx, workspace.id, { ...values, now }))
}

/** Credentials, by the segment of the path that names them. */
export const ofIntegrations = {
  connections: async ({ service, owner }: Place) => ({
    id: (await service.givenAgent(owner)).grantId,
  }),
  keys: ({ service, owner }: Place) => service.givenKey(owner),
  'publishable-keys': aPublishableKey,
}

interface FormPart {
  name: string
  bytes: Buffer
  /** Null for a field that is a text. */
  fileName?: string | null
  mimeType?: string
}

/** A multipart body with these parts, as a browser writes it. */
export function multipart(parts: FormPart[]): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'the-boundary-of-the-tests'
  const chunks = parts.flatMap(({ name, bytes, fileName = 'dot.png', mimeType = 'image/png' }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
        (fileName === null ? '' : `; filename="${fileName}"\r\nContent-Type: ${mimeType}`) +
        '\r\n\r\n',
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body }
}
