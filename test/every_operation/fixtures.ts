import request, { type Test } from 'supertest'
import { newId } from '../../src/core/ids.ts'
import { changeEmail } from '../../src/domain/people/email_changes.ts'
import type { components } from '../../src/generated/types.ts'
import type { OperationId } from '../../src/operation.ts'
import { drawFaces } from '../kit/faces.ts'
import {
  keepAliveAgent,
  type Person,
  type StaffMember,
  type TestService,
  unique,
} from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { givenCustomer, givenThread, type TestVisitor } from '../kit/visitors.ts'
import {
  aCheckout,
  aCollection,
  aConsentRequest,
  aContactRequest,
  aNewAddress,
  anAccount,
  aSource,
  aTag,
  idAs,
  newIdentity,
  multipart,
  ofIntegrations,
  preparingKey,
  withCredits,
} from './resources.ts'
import {
  aChange,
  aChangeSet,
  aCollectionSlug,
  aDeletedProduct,
  aDelivery,
  aDomain,
  aMedium,
  aMediumWithoutBytes,
  anAppliedSet,
  aNewRow,
  anUnansweredQuestion,
  aPrimaryDomain,
  aProduct,
  aPublishedProduct,
  aPublishedTag,
  aReply,
  aSlug,
  aWebhook,
  roomForDomain,
  roomForWebhook,
} from './catalogue_resources.ts'
import {
  type Call,
  declarationOf,
  inWorkspace,
  type Parameter,
  resourceNames,
  rows,
  type Way,
} from './operations.ts'

/** The world of a call: an owner with a workspace and a key, and a member of the staff. */
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

/** Adds a person to a workspace, as if by an invitation, accepted or still open. */
export async function givenMember(
  { service, workspace }: { service: TestService; workspace: { id: string } },
  person: Person,
  role: components['schemas']['Role'],
  status: components['schemas']['Member']['status'] = 'ACTIVE',
): Promise<string> {
  const row = memberOf(workspace, person, role, status)
  await service.db.insertInto('members').values(row).execute()
  return row.id
}

/** A member's row. */
export function memberOf(
  workspace: { id: string },
  { accountId, email }: Person,
  role: components['schemas']['Role'],
  status: components['schemas']['Member']['status'],
) {
  const account_id = status === 'INVITED' ? null : accountId
  return { id: newId('mem'), workspace_id: workspace.id, account_id, email, role, status }
}

interface Fixture {
  /** Real values for the path, if it does not name its resources as all others do. */
  path?: (scene: Scene, visitor: TestVisitor) => Promise<Record<string, string>>
  /** Body fields that must be real or new; the others come from the contract's example. */
  body?: (scene: Scene, visitor: TestVisitor) => Promise<Record<string, unknown>>
}

/** Only for operations whose example and path do not suffice for a repeatable valid call. */
const fixtures: Partial<Record<OperationId, Fixture>> = {
  create_webhook: { body: roomForWebhook },
  create_domain: { body: roomForDomain },
  update_domain: { path: aPrimaryDomain },
  delete_domain: { path: aPrimaryDomain },
  resend_webhook_delivery: { path: aDelivery },
  complete_media_upload: { path: anUpload },
  get_former_values: { path: aChange },
  undo_change_set: { path: anAppliedSet },
  write_products: { body: aNewRow },
  get_media_uses: { path: aMediumWithoutBytes },
  restore_product: { path: aDeletedProduct },
  resend_invitation: { path: anInvitedMember },
  analyze_face: { body: withCredits(async () => ({ image: await aFace() })) },
  chat_about_product: { body: withCredits(idAs('productId', aPublishedProduct)) },
  chat_about_routine: { body: withCredits(() => Promise.resolve({})) },
  make_kept_answers: {
    path: anAskedProduct,
    body: withCredits(() => Promise.resolve({ credits: 1 })),
  },
  create_contact_request: { body: aContactMessage },
  create_staff_session: { body: (scene) => aStaffCode(scene) },
  request_staff_code: { body: aNewAddress },
  delete_thread: { path: givenThread },
  get_thread: { path: givenThread },
  get_published_product_by_slug: { path: aSlug },
  get_published_collection_by_slug: { path: aCollectionSlug },
  request_customer_code: { body: aNewAddress },
  update_customer_profile: { body: (_scene, { email }) => Promise.resolve({ email }) },
  verify_customer_code: { body: aCustomersCode },
  add_member: { body: aNewAddress },
  create_session: { body: (scene) => aMailedCode(scene, '/api/session/code') },
  create_workspace: { body: () => Promise.resolve({ subDomain: unique('shop') }) },
  decide_consent: { path: aConsentRequest },
  get_consent_request: { path: aConsentRequest },
  request_account_email_code: { body: aNewAddress },
  request_billing_email_code: { body: aNewAddress },
  request_session_code: { body: aNewAddress },
  start_trial: { body: ({ workspace }) => Promise.resolve({ workspaceId: workspace.id }) },
  undo_account_email: { body: (scene) => anUndoToken(scene) },
  update_account_email: { body: (scene) => aMailedCode(scene, '/api/account/email/code') },
}

/** Creates the resource that a path names, by the segments before its id. */
const resources: Partial<Record<string, (scene: Scene) => Promise<{ id: string }>>> = {
  ...ofIntegrations,
  accounts: anAccount,
  checkout: aCheckout,
  'change-sets': aChangeSet,
  collections: aCollection,
  'contact-requests': aContactRequest,
  'experience/collections': aCollection,
  'experience/products': aPublishedProduct,
  'experience/tags': aPublishedTag,
  invitations: anInvitation,
  media: aMedium,
  members: aMember,
  products: aProduct,
  unanswered: anUnansweredQuestion,
  replies: aReply,
  sources: aSource,
  tags: aTag,
  webhooks: aWebhook,
  domains: aDomain,
  workspaces: ({ workspace }) => Promise.resolve(workspace),
}

const idInPath = /((?:experience\/)?[\w-]+)\/\{(\w+)\}/g

/** Real ids for the resources in an operation's path. */
async function pathOf(id: OperationId, scene: Scene): Promise<Record<string, string>> {
  const path: Record<string, string> = {}
  for (const [, segments, name] of rows[id].path.matchAll(idInPath)) {
    const create = resources[segments!]
    if (create && name !== 'workspaceId') path[name!] = (await create(scene)).id
  }
  return path
}

/** A published product with one question that nobody has answered. */
async function anAskedProduct(scene: Scene): Promise<{ id: string }> {
  const { id } = await aPublishedProduct(scene)
  const path = `/v1/workspaces/${scene.workspace.id}/products/${id}/questions`
  const questions = [{ text: 'Is it fit for dry skin?' }]
  const api = scene.service.api(await preparingKey(scene))
  await api.put(path).send({ questions }).expect(200)
  return { id }
}

let face: Promise<string> | undefined

/** The picture of a face, drawn once. */
export function aFace(): Promise<string> {
  face ??= drawFaces([{}]).then((bytes) => bytes.toString('base64'))
  return face
}

/** The token of an upload URL for the image of the contract's example. */
async function anUpload(scene: Scene): Promise<{ token: string }> {
  const { service, workspace } = scene
  const key = await preparingKey(scene)
  const promise = { fileName: 'dot.png', mimeType: 'image/png', size: anImage().length }
  const path = `/v1/workspaces/${workspace.id}/media/uploads`
  const answer = await service.api(key).post(path).send(promise).expect(200)
  const { url } = answer.body as components['schemas']['MediaUploadUrl']
  return { token: url.split('/').at(-1)! }
}

async function anInvitation({ service, owner }: Scene): Promise<{ id: string }> {
  const workspace = await service.givenWorkspace(await service.givenPerson())
  return { id: await givenMember({ service, workspace }, owner, 'staff', 'INVITED') }
}

async function anInvitedMember(scene: Scene): Promise<{ id: string }> {
  const person = await scene.service.givenPerson()
  return { id: await givenMember(scene, person, 'staff', 'INVITED') }
}

async function aMember(scene: Scene): Promise<{ id: string }> {
  return { id: await givenMember(scene, await scene.service.givenPerson(), 'staff') }
}

/** A new sender, with the contact form's challenge solved. */
export async function aContactMessage({ service }: Pick<Scene, 'service'>): Promise<{
  email: string
  challengeToken: string
}> {
  const challengeToken = await solvedChallenge(service, 'contact', 'contact')
  return { ...(await aNewAddress()), challengeToken }
}

/** A new member of the staff, or the given address, and the code mailed to it. */
export async function aStaffCode(
  { service }: Pick<Scene, 'service'>,
  email = `${unique('staff')}@example.com`,
): Promise<{ email: string; code: string }> {
  await service.givenStaff({ email })
  await service.admin().post('/api/admin/session/code').send({ email }).expect(202)
  return { email, code: await service.codeFor(email) }
}

/** An address, by default new, and the code mailed to it. */
export async function aMailedCode(
  { service, owner }: Scene,
  path: string,
  email = `${unique('new')}@example.com`,
): Promise<{ email: string; code: string }> {
  await service.dashboard(owner).post(path).send({ email }).expect(202)
  return { email, code: await service.codeFor(email) }
}

/** The token by which a person takes back a change of address that has just been made. */
export async function anUndoToken(
  { service }: Pick<Scene, 'service'>,
  person?: Person,
): Promise<{ token: string }> {
  const { accountId, email } = person ?? (await service.givenPerson())
  const { environment } = service.config
  const { notice } = await service.db
    .transaction()
    .execute((trx) =>
      changeEmail(
        trx,
        { environment, now: service.now() },
        accountId,
        `${unique('new')}@example.com`,
      ),
    )
  if (!notice) throw new Error(`${email} was not changed.`)
  return { token: notice.token }
}

/** A visitor's address, by default new, and the code the site mailed to it. */
export async function aCustomersCode(
  scene: Scene,
  visitor: TestVisitor,
  email = `${unique('new')}@example.com`,
): Promise<{ email: string; code: string }> {
  const { service, workspace } = scene
  const key = await preparingKey(scene)
  const path = `/v1/workspaces/${workspace.id}/experience/customer/otp/request`
  const body = { name: 'A customer', email }
  await service.api(key).post(path).set(visitor.headers).send(body).expect(202)
  return { email, code: await service.codeFor(email) }
}

const noVisitor: TestVisitor = { type: 'GUEST', id: '', email: '', headers: {} }

/**
 * A call that succeeds in this scene: the contract's example, completed by its fixture. On the
 * experience API it is made for a visitor, by default a new customer.
 */
export async function validCall(id: OperationId, scene: Scene, whose?: TestVisitor): Promise<Call> {
  const { parameters, bodyExamples } = declarationOf(id)
  const fixture = fixtures[id] ?? {}
  const visits = rows[id].surface === 'experience'
  const visitor = whose ?? (visits ? await givenCustomer(scene) : noVisitor)
  const path = (await fixture.path?.(scene, visitor)) ?? (await pathOf(id, scene))
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
    const { headers: own, body } = formOf(id)
    return { ...parts, headers: { ...headers, ...own }, body }
  }
  if (rows[id].body === 'bytes')
    return { ...parts, headers: { ...headers, 'Content-Type': 'image/png' }, body: anImage() }
  const [example = {}] = bodyExamples
  const identity = 'sku' in example ? await newIdentity() : {}
  const jsonBody = { ...example, ...identity, ...(await fixture.body?.(scene, visitor)) }
  return { ...parts, body: rows[id].body ? jsonBody : undefined }
}

/** The image of the contract's example. */
export function anImage(): Buffer {
  return Buffer.from(String(declarationOf('upload_media').bodyExamples[0]?.base64), 'base64')
}

/** What the form of an operation has. */
export function formOf(id: OperationId, file?: Buffer): ReturnType<typeof multipart> {
  if (id !== 'upload_change_set_file')
    return multipart([{ name: 'files', bytes: file ?? anImage() }])
  const bytes = file ?? Buffer.from('sku,stock\nRB-1,12\n')
  return multipart([
    { name: 'file', bytes, fileName: 'products.csv', mimeType: 'text/csv' },
    { name: 'format', bytes: Buffer.from('csv'), fileName: null },
  ])
}

/** The credential of the owner or, at administration, of the staff. */
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

/** Calls an operation; path parameters are put into the URL verbatim. */
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
  void test.agent(keepAliveAgent).set({ ...headers, ...call.headers })
  if (call.body === undefined) return test
  if (!('Content-Type' in call.headers)) void test.set('Content-Type', 'application/json')
  const asItStands = typeof call.body === 'string' || Buffer.isBuffer(call.body)
  return test.send(asItStands ? (call.body as string) : JSON.stringify(call.body))
}
