import request, { type Test } from 'supertest'
import { newId } from '../../src/core/ids.ts'
import { hashToken, newSecret } from '../../src/core/secrets.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { readContract, readTools } from '../../src/core/contract_documents.ts'
import { operations, type Scope } from '../../src/generated/operations.ts'
import type { components } from '../../src/generated/types.ts'
import type { OperationId } from '../../src/operation.ts'
import { insertContactRequest } from '../../src/queries/administration/contact_requests.ts'
import { drawFaces } from '../kit/faces.ts'
import {
  allScopes,
  keptAlive,
  type Person,
  type StaffMember,
  type TestService,
  unique,
} from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { givenCustomer, givenThread, type TestVisitor } from '../kit/visitors.ts'

/** An operation's row in the generated table, as loose as the contract may one day become. */
interface Row {
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  tag: string
  surface: string
  auth: string
  scope: Scope | null
  status: number
  toolOnly: boolean
  body: 'json' | 'multipart' | 'bytes' | null
  takesIdempotencyKey: boolean
  revalidates: boolean
}

export const rows: Record<OperationId, Row> = operations
export const operationIds = Object.keys(operations) as OperationId[]

/** One way in to an operation: an origin and, at the API, the form of the URL or a tool's call. */
export interface Way {
  name: string
  origin: 'api' | 'dashboard' | 'admin'
  flat: boolean
  tool?: true
}

const explicitPath: Way = { name: 'at the API', origin: 'api', flat: false }
const flatUrl: Way = { name: 'at the API by its flat URL', origin: 'api', flat: true }
const dashboard: Way = { name: 'at the dashboard', origin: 'dashboard', flat: false }
const administration: Way = { name: 'at administration', origin: 'admin', flat: false }
const asTool: Way = { name: 'as a tool', origin: 'api', flat: false, tool: true }

const document = readContract()
const toolNames = new Set(readTools().map(({ name }) => name))

/** Every way in to an operation, that of agents included. */
export function everyWayTo(id: OperationId): Way[] {
  return toolNames.has(id) ? [...waysTo(id), asTool] : waysTo(id)
}

/** Every way in to an operation by its own path; none for one that is a tool only. */
export function waysTo(id: OperationId): Way[] {
  const { auth, surface, toolOnly } = rows[id]
  if (toolOnly) return []
  const ways: Way[] = []
  if (surface === 'management' || surface === 'experience') ways.push(explicitPath)
  if (surface === 'management' && inWorkspace(id)) ways.push(flatUrl)
  if ((surface === 'management' && auth !== 'none') || surface === 'dashboard') ways.push(dashboard)
  if (surface === 'admin') ways.push(administration)
  return ways
}

/** The way in that a test takes when one is enough: the first. */
export function mainWayTo(id: OperationId): Way {
  const [way] = waysTo(id)
  if (!way) throw new Error(`${id} is served nowhere.`)
  return way
}

export const servedIds = operationIds.filter((id) => waysTo(id).length > 0)

export function inWorkspace(id: OperationId): boolean {
  return rows[id].path.includes('{workspaceId}')
}

/** The names of the path parameters that stand for something inside the workspace or account. */
export function resourceNames(id: OperationId): string[] {
  const names = [...rows[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return names.filter((name) => name !== 'workspaceId')
}

export type Schema = Record<string, unknown> & { $ref?: string }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

export interface Declared {
  parameters: Parameter[]
  bodySchema: Schema | undefined
  bodyRequired: boolean
  bodyExamples: Record<string, unknown>[]
  responses: Record<string, { headers?: Record<string, unknown> }>
  security: Record<string, string[]>[]
}

type Node = Record<string, unknown>

/** What a node of the document stands for, its references followed. */
export function resolved<T>(node: unknown): T {
  const { $ref, ...siblings } = node as { $ref?: string }
  if ($ref === undefined) return node as T
  const segments = $ref.slice(2).split('/')
  const target = segments.reduce<unknown>((at, name) => (at as Node)[name], document)
  return { ...resolved<object>(target), ...siblings } as T
}

/** What the contract declares of an operation, its references followed one level deep. */
export function declared(id: OperationId): Declared {
  const { path, method } = rows[id]
  const item = document.paths[path]!
  const operation = item[method] as Node
  const parameters = [item.parameters, operation.parameters].flatMap((list) => list ?? [])
  const body = resolved<{ content?: Record<string, Node>; required?: boolean }>(
    operation.requestBody ?? {},
  )
  const json = body.content?.['application/json']
  const examples = Object.values((json?.examples ?? {}) as Node)
  return {
    parameters: parameters.map((parameter) => resolved<Parameter>(parameter)),
    bodySchema: json?.schema as Schema | undefined,
    bodyRequired: body.required === true,
    bodyExamples: examples.map((example) => resolved<{ value: Node }>(example).value),
    responses: Object.fromEntries(
      Object.entries(operation.responses as Node).map(([status, response]) => [
        status,
        resolved<{ headers?: Node }>(response),
      ]),
    ),
    security: operation.security as Record<string, string[]>[],
  }
}

/** Somebody with a workspace and a key, and somebody of the staff: the world in which a call is made. */
export interface Scene {
  service: TestService
  owner: Person
  workspace: components['schemas']['Workspace']
  key: string
  staff: StaffMember
}

export async function givenScene(service: TestService): Promise<Scene> {
  const owner = await service.givenPerson()
  const workspace = await service.givenWorkspace(owner)
  const { key } = await service.givenKey(owner)
  return { service, owner, workspace, key, staff: await service.givenStaff() }
}

/** Puts a person into a workspace, as though an invitation had been accepted, or not yet. */
export async function givenMember(
  { service, workspace }: { service: TestService; workspace: { id: string } },
  person: Person,
  role: components['schemas']['Role'],
  status: components['schemas']['Member']['status'] = 'ACTIVE',
): Promise<string> {
  const id = newId('mem')
  const account_id = status === 'INVITED' ? null : person.accountId
  const row = { id, workspace_id: workspace.id, account_id, email: person.email, role, status }
  await service.db.insertInto('members').values(row).execute()
  return id
}

/** The parts of a call. */
export interface Call {
  path: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  /** Sent as JSON; a string or bytes as they stand. */
  body: unknown
}

interface Fixture {
  /** Real ids for the path. */
  path?: (scene: Scene, visitor: TestVisitor) => Promise<Record<string, string>>
  /** Fields of the body that must be real or new; the others are those of the contract's example. */
  body?: (scene: Scene, visitor: TestVisitor) => Promise<Record<string, unknown>>
}

/** Only where the contract's own example cannot make a valid call again and again. */
const fixtures: Partial<Record<OperationId, Fixture>> = {
  add_collection_product: { path: both(aCollection, aProduct, 'productId') },
  add_collection_tag: { path: both(aCollection, aTag, 'tagId') },
  add_product_tag: { path: both(aProduct, aTag, 'tagId') },
  complete_media_upload: { path: anUpload },
  create_product: { body: newIdentity },
  delete_collection: { path: aCollection },
  delete_product: { path: aProduct },
  delete_media: { path: aMedium },
  delete_tag: { path: aTag },
  get_collection: { path: aCollection },
  get_media: { path: aMedium },
  get_product: { path: aProduct },
  get_product_questions: { path: aProduct },
  get_tag: { path: aTag },
  list_collection_products: { path: aCollection },
  replace_media: { path: aMedium },
  remove_collection_product: { path: both(aCollection, aProduct, 'productId') },
  remove_collection_tag: { path: both(aCollection, aTag, 'tagId') },
  remove_product_tag: { path: both(aProduct, aTag, 'tagId') },
  reset_product_questions: { path: aProduct },
  update_collection: { path: aCollection },
  update_product: { path: aProduct, body: newIdentity },
  update_product_questions: { path: aProduct },
  update_tag: { path: aTag },
  analyze_face: { body: paidFor(async () => ({ image: await aFace() })) },
  chat_about_product: { body: paidFor(named('productId', aPublishedProduct)) },
  chat_about_routine: { body: paidFor(() => Promise.resolve({})) },
  adjust_credits: { path: ({ workspace }) => Promise.resolve({ id: workspace.id }) },
  block_source: { path: aSource },
  create_contact_request: { body: aContactMessage },
  create_staff_session: { body: (scene) => aStaffCode(scene) },
  list_source_connections: { path: aSource },
  mark_contact_request_read: { path: aContactRequest },
  request_staff_code: { body: aNewAddress },
  unblock_source: { path: aSource },
  update_account_limit: { path: anAccount },
  update_account_status: { path: anAccount },
  update_workspace_status: { path: ({ workspace }) => Promise.resolve({ id: workspace.id }) },
  delete_thread: { path: givenThread },
  get_published_product: { path: named('productId', aPublishedProduct) },
  get_published_product_by_slug: { path: aSlug },
  list_published_collection_products: { path: named('collectionId', aCollection) },
  list_published_tag_collections: { path: named('tagId', aPublishedTag) },
  list_published_tag_products: { path: named('tagId', aPublishedTag) },
  request_customer_code: { body: aNewAddress },
  update_customer_profile: { body: (_scene, { email }) => Promise.resolve({ email }) },
  verify_customer_code: { body: aCustomersCode },
  accept_invitation: { path: anInvitation },
  add_member: { body: aNewAddress },
  create_session: { body: (scene) => aMailedCode(scene, '/api/session/code') },
  create_workspace: { body: () => Promise.resolve({ subDomain: unique('shop') }) },
  decide_consent: { path: aConsentRequest },
  decline_invitation: { path: anInvitation },
  pay_development_checkout: { path: aCheckout },
  refund_development_checkout: { path: aCheckout },
  get_consent_request: { path: aConsentRequest },
  remove_member: { path: aMember },
  request_account_email_code: { body: aNewAddress },
  request_billing_email_code: { body: aNewAddress },
  request_session_code: { body: aNewAddress },
  revoke_connection: {
    path: async ({ service, owner }) => ({ id: (await service.givenAgent(owner)).grantId }),
  },
  revoke_key: { path: async ({ service, owner }) => ({ id: (await service.givenKey(owner)).id }) },
  update_account_email: { body: (scene) => aMailedCode(scene, '/api/account/email/code') },
  update_member: { path: aMember },
}

/** A product is found by these among all others of its workspace. */
function newIdentity(): Promise<{ name: string; sku: string; barcode: string }> {
  const value = unique('product')
  return Promise.resolve({ name: value, sku: value, barcode: value })
}

/** Creates a resource of the workspace by its own operation. */
async function created(
  { service, workspace, owner }: Scene,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const { key } = await service.givenKey(owner)
  const target = `/v1/workspaces/${workspace.id}/${path}`
  const answer = await service.api(key).post(target).send(body).expect(200)
  return { id: (answer.body as { id: string }).id }
}

/** The id of something under the name that a path has for it. */
function named(
  name: string,
  make: (scene: Scene) => Promise<{ id: string }>,
): (scene: Scene) => Promise<Record<string, string>> {
  return async (scene) => ({ [name]: (await make(scene)).id })
}

/** What an AI call needs beside credits for it. */
function paidFor(
  make: (scene: Scene) => Promise<Record<string, unknown>>,
): (scene: Scene) => Promise<Record<string, unknown>> {
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

let face: Promise<string> | undefined

/** The picture of a face, which is drawn once. */
export function aFace(): Promise<string> {
  face ??= drawFaces([{}]).then((bytes) => bytes.toString('base64'))
  return face
}

async function aSlug(scene: Scene): Promise<{ productSlug: string }> {
  const { id } = await aPublishedProduct(scene)
  const product = scene.service.db.selectFrom('products').select('slug').where('id', '=', id)
  return { productSlug: (await product.executeTakeFirstOrThrow()).slug }
}

/** A tag that leads visitors to a collection. */
async function aPublishedTag(scene: Scene): Promise<{ id: string }> {
  const tag = await aTag(scene)
  await created(scene, 'collections', { name: unique('collection'), tagIds: [tag.id] })
  return tag
}

async function aProduct(scene: Scene): Promise<{ id: string }> {
  const example = declared('create_product').bodyExamples[0]
  return created(scene, 'products', { ...example, ...(await newIdentity()) })
}

async function aPublishedProduct(scene: Scene): Promise<{ id: string }> {
  const product = await aProduct(scene)
  const published = scene.service.db.updateTable('products').set({ status: 'ACTIVE' })
  await published.where('id', '=', product.id).execute()
  return product
}

function aCollection(scene: Scene): Promise<{ id: string }> {
  return created(scene, 'collections', { name: unique('collection') })
}

function aMedium(scene: Scene): Promise<{ id: string }> {
  return created(scene, 'media', declared('upload_media').bodyExamples[0] ?? {})
}

/** The token of an upload URL that waits for the image of the contract's example. */
async function anUpload({ service, workspace, owner }: Scene): Promise<{ token: string }> {
  const { key } = await service.givenKey(owner)
  const promise = { fileName: 'dot.png', mimeType: 'image/png', size: anImage().length }
  const path = `/v1/workspaces/${workspace.id}/media/uploads`
  const answer = await service.api(key).post(path).send(promise).expect(200)
  const { url } = answer.body as components['schemas']['MediaUploadUrl']
  return { token: url.split('/').at(-1)! }
}

function aTag(scene: Scene): Promise<{ id: string }> {
  return created(scene, 'tags', { name: unique('tag') })
}

/** The ids of a resource and of what is put on it. */
function both(
  owner: (scene: Scene) => Promise<{ id: string }>,
  part: (scene: Scene) => Promise<{ id: string }>,
  name: string,
): (scene: Scene) => Promise<Record<string, string>> {
  return async (scene) => ({ ...(await owner(scene)), [name]: (await part(scene)).id })
}

async function anInvitation({ service, owner }: Scene): Promise<{ id: string }> {
  const workspace = await service.givenWorkspace(await service.givenPerson())
  return { id: await givenMember({ service, workspace }, owner, 'staff', 'INVITED') }
}

async function aCheckout({ service, owner, workspace }: Scene): Promise<{ id: string }> {
  const target = `/api/workspaces/${workspace.id}/checkout`
  const answer = await service.dashboard(owner).post(target).send({ pack: 5000 }).expect(201)
  return { id: (answer.body as { id: string }).id }
}

async function aMember(scene: Scene): Promise<{ id: string }> {
  return { id: await givenMember(scene, await scene.service.givenPerson(), 'staff') }
}

async function aSource({ service, owner }: Scene): Promise<{ id: string }> {
  return { id: (await service.givenAgent(owner)).sourceId }
}

async function anAccount({ service }: Scene): Promise<{ id: string }> {
  return { id: (await service.givenPerson()).accountId }
}

async function aContactRequest({ service }: Scene): Promise<{ id: string }> {
  const request = { ...(await aNewAddress()), name: 'A person', message: 'A question.' }
  const now = service.now()
  const id = await service.db
    .transaction()
    .execute((trx) => insertContactRequest(trx, request, now))
  return { id }
}

/** A sender who has written nothing yet, with the contact form's challenge solved. */
export async function aContactMessage({ service }: Pick<Scene, 'service'>): Promise<{
  email: string
  challengeToken: string
}> {
  const challengeToken = await solvedChallenge(service, 'contact', 'contact')
  return { ...(await aNewAddress()), challengeToken }
}

/** Somebody new on the staff, or the given address, and the code that was mailed to them. */
export async function aStaffCode(
  { service }: Pick<Scene, 'service'>,
  email = `${unique('staff')}@example.com`,
): Promise<{ email: string; code: string }> {
  await service.givenStaff({ email })
  await service.admin().post('/api/admin/session/code').send({ email }).expect(202)
  return { email, code: await service.codeFor(email) }
}

/** A request of an agent for every scope, which its owner has decided and may decide again. */
async function aConsentRequest({ service, owner }: Scene): Promise<{ requestId: string }> {
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

function aNewAddress(): Promise<{ email: string }> {
  return Promise.resolve({ email: `${unique('new')}@example.com` })
}

/** An address, a new one unless it is given, and the code that was mailed to it. */
export async function aMailedCode(
  { service, owner }: Scene,
  path: string,
  email = `${unique('new')}@example.com`,
): Promise<{ email: string; code: string }> {
  await service.dashboard(owner).post(path).send({ email }).expect(202)
  return { email, code: await service.codeFor(email) }
}

/** A new address at the site, or the given one, and the code that was mailed to it. */
export async function aCustomersCode(
  scene: Scene,
  visitor: TestVisitor,
  email = `${unique('new')}@example.com`,
): Promise<{ email: string; code: string }> {
  const { service, workspace, owner } = scene
  const { key } = await service.givenKey(owner)
  const path = `/v1/workspaces/${workspace.id}/experience/customer/otp/request`
  const said = { name: 'A customer', email }
  await service.api(key).post(path).set(visitor.headers).send(said).expect(202)
  return { email, code: await service.codeFor(email) }
}

const nobody: TestVisitor = { type: 'GUEST', id: '', email: '', headers: {} }

/**
 * A call that succeeds in this scene: the contract's example, with what a fixture must add. On the
 * experience API it is made for a visitor, by default a customer whom nobody knows yet.
 */
export async function validCall(id: OperationId, scene: Scene, whose?: TestVisitor): Promise<Call> {
  const { parameters, bodyExamples } = declared(id)
  const fixture = fixtures[id] ?? {}
  const visits = rows[id].surface === 'experience'
  const visitor = whose ?? (visits ? await givenCustomer(scene) : nobody)
  const path: Record<string, string> = (await fixture.path?.(scene, visitor)) ?? {}
  if (inWorkspace(id)) path.workspaceId = scene.workspace.id
  const missing = resourceNames(id).filter((name) => path[name] === undefined)
  if (missing.length > 0) throw new Error(`${id} needs a fixture for ${missing.join(', ')}.`)
  const required = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example }) => [name, String(example)]),
    )
  const headers = { ...required('header'), ...visitor.headers }
  const parts = { path, query: required('query'), headers }
  if (rows[id].body === 'multipart') {
    const { headers: own, body } = multipart([{ name: 'files', bytes: anImage() }])
    return { ...parts, headers: { ...headers, ...own }, body }
  }
  if (rows[id].body === 'bytes')
    return { ...parts, headers: { ...headers, 'Content-Type': 'image/png' }, body: anImage() }
  const given = { ...bodyExamples[0], ...(await fixture.body?.(scene, visitor)) }
  return { ...parts, body: rows[id].body ? given : undefined }
}

/** The image of the contract's own example. */
export function anImage(): Buffer {
  return Buffer.from(String(declared('upload_media').bodyExamples[0]?.base64), 'base64')
}

/** A multipart body with these parts, as a browser writes it. */
export function multipart(
  parts: { name: string; bytes: Buffer; fileName?: string; mimeType?: string }[],
): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'the-boundary-of-the-tests'
  const chunks = parts.flatMap(({ name, bytes, fileName = 'dot.png', mimeType = 'image/png' }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
        `Content-Type: ${mimeType}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body }
}

/** What the owner, or at administration the staff, sends to be let in. */
export function credentialOf(scene: Scene, { origin }: Way): Call['headers'] {
  const { service, owner, key, staff } = scene
  if (origin === 'admin') return staffCookie(service, staff.cookie)
  return origin === 'api' ? bearer(key) : cookie(service, owner.cookie)
}

export function bearer(key: string): Call['headers'] {
  return { Authorization: `Bearer ${key}` }
}

/** A session cookie, sent from the dashboard's own pages. */
export function cookie({ config }: TestService, value: string): Call['headers'] {
  return { Cookie: value, Origin: config.dashboardUrl }
}

/** A staff cookie, sent from the administration's own pages. */
export function staffCookie({ config }: TestService, value: string): Call['headers'] {
  return { Cookie: value, Origin: config.adminUrl }
}

/** The Origin that the pages of an origin send. */
export function ownOrigin({ config }: TestService, { origin }: Way): string {
  return origin === 'admin' ? config.adminUrl : config.dashboardUrl
}

/** Makes a call of an operation; a path parameter is put into the URL as it stands. */
export function send(
  service: TestService,
  id: OperationId,
  way: Way,
  call: Call,
  headers: Call['headers'],
): Test {
  const query = new URLSearchParams(call.query)
  let path = rows[id].path
  if (way.flat) {
    path = path.replace('/workspaces/{workspaceId}', '')
    query.set('workspaceId', call.path.workspaceId ?? '')
  }
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) => call.path[name] ?? '')
  const search = query.size > 0 ? `?${query.toString()}` : ''
  const test = request(service.urls[way.origin])[rows[id].method](target + search)
  void test.agent(keptAlive).set({ ...headers, ...call.headers })
  if (call.body === undefined) return test
  if (!('Content-Type' in call.headers)) void test.set('Content-Type', 'application/json')
  const asItStands = typeof call.body === 'string' || Buffer.isBuffer(call.body)
  return test.send(asItStands ? (call.body as string) : JSON.stringify(call.body))
}
