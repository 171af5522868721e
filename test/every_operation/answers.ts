import { sql } from 'kysely'
import type { Response } from 'supertest'
import { expect } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import type { Handlers, OperationId } from '../../src/operation.ts'
import { createDatabase } from '../kit/database.ts'
import { aDeletedProduct } from './catalogue_resources.ts'
import { create, newIdentity } from './resources.ts'
import { allScopes, startService, type TestService, unique } from '../kit/service.ts'
import {
  aContactMessage,
  aMailedCode,
  anUndoToken,
  credentialOf,
  givenMember,
  formOf,
  ownOrigin,
  type Scene,
  send,
  validCall,
} from './fixtures.ts'
import {
  type Call,
  declarationOf,
  mainWayTo,
  operationIds,
  resourceNames,
  rows,
} from './operations.ts'
import { inTurn } from './turns.ts'

/** The API must fit a product in any script; the dashboard only takes forms. */
export const maxBodyBytes = (id: OperationId) =>
  rows[id].path.startsWith('/v1/') ? 5 * 1024 * 1024 : 64 * 1024

/** Three services on one database: normal, with minimal limits, with faulty handlers. */
export interface Services {
  service: TestService
  limited: TestService
  faulty: TestService
  /** How every handler of the faulty service ends. */
  fault: { end: () => Promise<never> }
  close(): Promise<void>
}

export async function openServices(): Promise<Services> {
  const fault: Services['fault'] = { end: () => Promise.reject(new Error('Nothing is said.')) }
  const faultyHandlers = Object.fromEntries(
    operationIds.map((id) => [id, () => fault.end()]),
  ) as unknown as Handlers
  const database = await createDatabase()
  const databaseUrl = database.url
  const service = await startService({ databaseUrl })
  const env = { RATE_LIMIT_PER_MINUTE: '1', BASE_URL: 'https://api.shop.example' }
  const limited = await startService({ databaseUrl, env })
  const faulty = await startService({ databaseUrl, handlers: faultyHandlers })
  return {
    service,
    limited,
    faulty,
    fault,
    async close() {
      for (const each of [service, limited, faulty]) await each.close()
      await database.drop()
    },
  }
}

/** The services, and the scene of a call. */
export interface World extends Services {
  scene: Scene
  /** Where every call is refused or reads, a valid call of each operation, which is made once. */
  prepared?: Map<OperationId, Promise<Call>>
}

/** A call that succeeds in this world. */
async function validIn({ scene, prepared }: World, id: OperationId): Promise<Call> {
  if (!prepared) return validCall(id, scene)
  const made = prepared.get(id) ?? validCall(id, scene)
  prepared.set(id, made)
  const { path, ...others } = await made
  return { ...others, path: { ...path } }
}

/** The owner's call of an operation, with some parts overridden; if all are, none is prepared. */
async function call(
  world: World,
  id: OperationId,
  change: Partial<Call> = {},
  at = world.service,
): Promise<Response> {
  const way = mainWayTo(id)
  const isWhole = 'path' in change && 'query' in change && 'headers' in change && 'body' in change
  const valid = isWhole ? (change as Call) : await validIn(world, id)
  const headers = { ...valid.headers, ...change.headers }
  return send(at, id, way, { ...valid, ...change, headers }, credentialOf(world.scene, way))
}

/** The owner's valid call of an operation, made after a change to the scene. */
async function callAfter(
  { service, scene }: World,
  id: OperationId,
  prepare: (valid: Call) => PromiseLike<unknown>,
): Promise<Response> {
  const way = mainWayTo(id)
  const valid = await validCall(id, scene)
  await prepare(valid)
  return send(service, id, way, valid, credentialOf(scene, way))
}

/** The owner's valid call, with a body of exactly the size that is the largest: megabytes in turns. */
async function succeed(world: World, id: OperationId): Promise<Response> {
  const valid = await validIn(world, id)
  const isPadded = maxBodyBytes(id) < 1024 * 1024 || inTurn([id], 0).length > 0
  if (rows[id].body !== 'json' || !isPadded) return call(world, id, valid)
  return call(world, id, { ...valid, body: paddedTo(maxBodyBytes(id), valid.body) })
}

/** Produces each status, for any operation that declares it. */
const producers: Record<number, (world: World, id: OperationId) => Promise<Response>> = {
  200: succeed,
  201: succeed,
  202: succeed,
  204: succeed,
  304: async (world, id) => {
    const valid = await validIn(world, id)
    const { headers } = await call(world, id, valid)
    const known = { ...valid.headers, 'If-None-Match': headers.etag! }
    return call(world, id, { ...valid, headers: known })
  },
  400: (world, id) => call(world, id, { query: { unknown: 'x' } }),
  401: async (world, id) => {
    const { service } = world
    if (id === 'complete_media_upload') return call(world, id, { path: { token: 'wsu_live_x' } })
    if (id === 'undo_account_email') return call(world, id, { body: { token: 'wsb_live_x' } })
    if (rows[id].auth === 'none')
      return call(world, id, { body: declarationOf(id).bodyExamples[0] })
    const way = mainWayTo(id)
    const headers = { Origin: ownOrigin(service, way) }
    return send(service, id, way, await validIn(world, id), headers)
  },
  402: async (world, id) => callAfter(world, id, () => moveCredits(world, -10)),
  403: async (world, id) => {
    const { service, scene } = world
    if (id === 'complete_media_upload')
      return callAfter(world, id, () => suspend(world, 'workspace'))
    if (mainWayTo(id).origin === 'dashboard' && rows[id].method === 'get')
      return callAfter(world, id, () => suspend(world, 'account'))
    const scopes = allScopes.filter((scope) => scope !== rows[id].scope)
    const { key } = await service.givenKey(scene.owner, { scopes })
    return call({ ...world, scene: { ...scene, key } }, id, {
      headers: { Origin: 'https://site.example' },
    })
  },
  404: async (world, id) => {
    const valid = await validIn(world, id)
    // A conversation's id is in the body.
    if (resourceNames(id).length === 0)
      return call(world, id, { ...valid, body: { ...(valid.body as object), threadId: 'unknown' } })
    for (const name of resourceNames(id)) valid.path[name] = 'unknown'
    return call(world, id, valid)
  },
  409: (world, id) => conflict(world, id),
  413: async (world, id) => {
    const valid = await validIn(world, id)
    if (rows[id].body === 'json')
      return call(world, id, { ...valid, body: paddedTo(maxBodyBytes(id) + 1, valid.body) })
    if (rows[id].body === 'bytes')
      return call(world, id, {
        ...valid,
        body: Buffer.concat([valid.body as Buffer, Buffer.alloc(1)]),
      })
    const most = id === 'upload_change_set_file' ? 50_000_000 : 10 * 1024 * 1024
    return call(world, id, formOf(id, Buffer.alloc(most + 1)))
  },
  415: (world, id) => call(world, id, { headers: { 'Content-Type': 'text/plain' } }),
  429: async (world, id) => {
    // Even at the smallest setting some limits allow a few calls. Signing out would end them.
    const repeated = id === 'delete_session' ? 'get_session' : id
    const valid = await validCall(repeated, world.scene)
    for (let calls = 0; calls < 9; calls++) {
      // A second call may find what it needs used up; limits of known callers count it all the same.
      const input = rows[id].auth === 'none' ? await validCall(repeated, world.scene) : valid
      const way = mainWayTo(repeated)
      const response = await send(
        world.limited,
        repeated,
        way,
        input,
        credentialOf(world.scene, way),
      )
      if (repeated !== id) continue
      if (response.status === 429) return response
    }
    return call(world, id, {}, world.limited)
  },
  500: (world, id) => {
    world.fault.end = () => Promise.reject(new Error('secret internal text'))
    return call(world, id, {}, world.faulty)
  },
  503: (world, id) => {
    const error = Object.assign(new Error('secret internal text'), { code: 'ECONNREFUSED' })
    world.fault.end = () => Promise.reject(error)
    return call(world, id, {}, world.faulty)
  },
}

/** A body's JSON, padded with spaces to the given size. */
export function paddedTo(bytes: number, body: unknown): string {
  const json = JSON.stringify(body)
  return json + ' '.repeat(bytes - Buffer.byteLength(json))
}

/** Provokes a conflict by headers if the operation has them, else by the table below. */
async function conflict(world: World, id: OperationId): Promise<Response> {
  const { service } = world
  if (declarationOf(id).parameters.some(({ name }) => name === 'If-Match'))
    return call(world, id, { headers: { 'If-Match': '"stale"' } })
  if (rows[id].takesIdempotencyKey) {
    const valid = await validIn(world, id)
    const again = { ...valid, headers: { ...valid.headers, 'Idempotency-Key': 'once' } }
    await call(world, id, again)
    // The record's state while the first call is still running.
    await service.db.updateTable('idempotency_records').set({ status: null, body: null }).execute()
    return call(world, id, again)
  }
  const prepare = conflicts[id]
  if (!prepare) throw new Error(`Nothing here makes ${id} conflict.`)
  return call(world, id, await prepare(world))
}

/** A set that no step can be taken of any more. */
async function cancelledSet(world: World): Promise<Partial<Call>> {
  const cancelled = await validCall('cancel_change_set', world.scene)
  await call(world, 'cancel_change_set', cancelled)
  return cancelled
}

const conflicts: Partial<Record<OperationId, (world: World) => Promise<Partial<Call>>>> = {
  accept_invitation: async ({ service, scene }) => {
    const workspace = await service.givenWorkspace(await service.givenPerson())
    await givenMember({ service, workspace }, scene.owner, 'staff')
    const id = await givenMember({ service, workspace }, scene.owner, 'billing', 'INVITED')
    return { path: { id } }
  },
  complete_media_upload: async (world) => {
    const upload = await validCall('complete_media_upload', world.scene)
    await call(world, 'complete_media_upload', upload)
    return upload
  },
  apply_change_set: cancelledSet,
  make_kept_answers: async ({ service, scene }) => {
    const { path } = await validCall('make_kept_answers', scene)
    // More questions than one credit pays for.
    const questions = [{ text: 'Is it fit for dry skin?' }, { text: 'Is it fit for oily skin?' }]
    await service
      .api(scene.key)
      .put(`/v1/workspaces/${scene.workspace.id}/products/${path['id']!}/questions`)
      .send({ questions })
      .expect(200)
    return { path }
  },
  cancel_change_set: cancelledSet,
  plan_change_set: cancelledSet,
  undo_change_set: cancelledSet,
  update_name_approval: async ({ scene }) => ({
    ...(await validCall('update_name_approval', scene)),
    body: { isNameApproved: true, name: 'A name of before' },
  }),
  add_member: ({ scene }) => Promise.resolve({ body: { email: scene.owner.email, role: 'staff' } }),
  create_contact_request: async (world) => {
    const { scene } = world
    const { email } = await aContactMessage(scene)
    const again = async () => ({
      ...declarationOf('create_contact_request').bodyExamples[0],
      ...(await aContactMessage(scene)),
      email,
    })
    expect((await call(world, 'create_contact_request', { body: await again() })).status).toBe(200)
    return { body: await again() }
  },
  remove_member: async (world) => ({ path: await ownersPath(world) }),
  restore_product: async ({ service, scene }) => {
    const path = { workspaceId: scene.workspace.id, ...(await aDeletedProduct(scene)) }
    const kept = await service.db
      .selectFrom('kept_products')
      .select(sql<string>`snapshot -> 'product' ->> 'name'`.as('name'))
      .where('product_id', '=', path.id)
      .executeTakeFirstOrThrow()
    await create(scene, 'products', {
      ...declarationOf('create_product').bodyExamples[0],
      ...(await newIdentity()),
      name: kept.name,
    })
    return { path }
  },
  undo_account_email: async ({ service }) => {
    const person = await service.givenPerson()
    const body = await anUndoToken({ service }, person)
    await service.givenWorkspace(await service.givenPerson({ email: person.email }))
    return { body }
  },
  update_account_email: async ({ service, scene }) => {
    const { email } = await service.givenPerson()
    return { body: await aMailedCode(scene, '/api/account/email/code', email) }
  },
  update_member: async (world) => ({ path: await ownersPath(world) }),
}

/** Adjusts the credits of the scene's wallet. */
async function moveCredits({ service, scene }: World, credits: number): Promise<void> {
  const move = { credits, reason: 'A test', reference: unique('move'), now: service.now() }
  await service.db.transaction().execute((trx) => adjustCredits(trx, scene.workspace.id, move))
}

async function ownersPath({ service, scene }: World): Promise<Record<string, string>> {
  const path = `/api/workspaces/${scene.workspace.id}/members`
  const { body } = await service.dashboard(scene.owner).get(path)
  return { workspaceId: scene.workspace.id, id: body.members[0].id }
}

async function suspend({ service, scene }: World, what: 'account' | 'workspace'): Promise<void> {
  const { owner, workspace } = scene
  const id = what === 'account' ? owner.accountId : workspace.id
  const set = service.db.updateTable(`${what}s` as const).set({ status: 'SUSPENDED' })
  await set.where('id', '=', id).execute()
}

/** All of the above in the current world. */
export function answersIn(world: () => World) {
  return {
    call: (id: OperationId, change?: Partial<Call>, at?: TestService) =>
      call(world(), id, change, at),
    callAfter: (id: OperationId, happen: (valid: Call) => PromiseLike<unknown>) =>
      callAfter(world(), id, happen),
    conflict: (id: OperationId) => conflict(world(), id),
    moveCredits: (credits: number) => moveCredits(world(), credits),
    suspend: (what: 'account' | 'workspace') => suspend(world(), what),
    producers: Object.fromEntries(
      Object.entries(producers).map(([status, produce]) => [
        status,
        (id: OperationId) => produce(world(), id),
      ]),
    ) as Record<number, (id: OperationId) => Promise<Response>>,
  }
}
