import { EventEmitter, once } from 'node:events'
import { type Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ErrorCode, errorCodes } from '../../src/generated/operations.ts'
import { anImage, givenMember, givenScene, type Scene, validCall } from './fixtures.ts'
import { openConnection } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'
import { answersIn, openServices, type Services } from './answers.ts'

let services: Services
let service: TestService
let faulty: TestService
beforeAll(async () => {
  services = await openServices()
  ;({ service, faulty } = services)
})
afterAll(() => services.close())

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
})

const { call, callAfter, conflict, moveCredits, producers, suspend } = answersIn(() => ({
  ...services,
  scene,
}))

const api = () => service.api(scene.key)
const inWorkspace = (path: string) => `/v1/workspaces/${scene.workspace.id}/${path}`
const profile = () => inWorkspace('workspace')

/** A call refused with each code. */
const refusals: Record<ErrorCode, () => Promise<Response>> = {
  invalid_input: async () => api().get('/v1/workspaces?page=0'),
  missing_workspace: async () => api().get('/v1/workspace'),
  subdomain_unavailable: () => createWorkspace({ subDomain: scene.workspace.subDomain }),
  subdomain_cooldown: async () => {
    await api()
      .put(profile())
      .send({ subDomain: `${scene.workspace.subDomain}-2` })
      .expect(200)
    return api()
      .put(profile())
      .send({ subDomain: `${scene.workspace.subDomain}-3` })
  },
  workspace_limit_reached: async () => {
    await service.givenPerson({ email: scene.owner.email, workspaceLimit: 1 })
    return createWorkspace({})
  },
  key_limit_reached: async () => {
    for (let keys = 0; keys < 100; keys++) await service.givenKey(scene.owner)
    return call('create_key')
  },
  unknown_template: () => createWorkspace({ templateKey: 'unknown' }),
  change_set_has_errors: async () => {
    const rows = [{ action: 'delete', sku: 'unknown' }]
    const { body } = await api().post(inWorkspace('change-sets')).send({ rows }).expect(200)
    return api().post(inWorkspace(`change-sets/${(body as { id: string }).id}/apply`))
  },
  change_set_state: async () => {
    const rows = [{ action: 'delete', sku: 'unknown' }]
    const { body } = await api().post(inWorkspace('change-sets')).send({ rows }).expect(200)
    return api().post(inWorkspace(`change-sets/${(body as { id: string }).id}/undo`))
  },
  unauthenticated: async () => service.api().get('/v1/workspaces'),
  token_expired: async () => {
    const { key } = await service.givenKey(scene.owner, { expiresInDays: 0 })
    return service.api(key).get('/v1/workspaces')
  },
  token_revoked: async () => {
    const { key, id } = await service.givenKey(scene.owner)
    await service.dashboard(scene.owner).delete(`/api/keys/${id}`).expect(200)
    return service.api(key).get('/v1/workspaces')
  },
  wrong_environment: async () => service.api('wsk_live_x').get('/v1/workspaces'),
  code_invalid: () => producers[401]!('create_session'),
  sign_in_required: async () =>
    api().get(inWorkspace('experience/customer/session')).set(givenGuest(scene).headers),
  visitor_required: async () => api().get(inWorkspace('experience/customer/session')),
  access_restricted: async () => {
    await api().put(profile()).send({ isVisible: false }).expect(200)
    return call('create_feedback')
  },
  no_face: async () => call('analyze_face', { body: { image: anImage().toString('base64') } }),
  cursor_expired: async () => {
    const { body } = await api().get(inWorkspace('changes?after=latest'))
    await api().post(inWorkspace('tags')).send({ name: 'Gone' }).expect(200)
    await service.db
      .deleteFrom('catalogue_changes')
      .where('workspace_id', '=', scene.workspace.id)
      .execute()
    return api().get(inWorkspace(`changes?after=${body.cursor}`))
  },
  insufficient_credits: () => producers[402]!('chat_about_product'),
  wallet_in_debt: () => callAfter('chat_about_product', () => moveCredits(-11)),
  ai_mode_disabled: async () => {
    const settings = { fastEnabled: false, comprehensiveEnabled: true, sector: 'AUTO' }
    await api().put(inWorkspace('ai-settings')).send(settings).expect(200)
    return call('chat_about_product')
  },
  quota_exceeded: async () => {
    const accessPolicy = { customerDailyRequests: 0 }
    await api().put(inWorkspace('website')).send({ accessPolicy }).expect(200)
    return call('chat_about_product')
  },
  challenge_required: async () => askForCode({}),
  challenge_failed: async () => askForCode({ challengeToken: 'nonsense' }),
  insufficient_scope: () => producers[403]!('list_workspaces'),
  account_inactive: async () => {
    await suspend('account')
    return api().get('/v1/workspaces')
  },
  workspace_inactive: async () => {
    await suspend('workspace')
    return api().get(profile())
  },
  not_owner: async () => api().get('/v1/workspaces/unknown/workspace'),
  role_insufficient: async () => {
    const person = await service.givenPerson()
    await givenMember(scene, person, 'staff')
    return service.dashboard(person).get(profile())
  },
  source_blocked: async () => {
    const { key } = await service.givenKey(scene.owner, { name: 'blocked' })
    const block = service.db.updateTable('integration_sources').set({ status: 'BLOCKED' })
    await block.where('identity', '=', `${scene.owner.accountId}/blocked`).execute()
    return service.api(key).get('/v1/workspaces')
  },
  origin_refused: () => producers[403]!('delete_session'),
  not_found: async () => api().get('/v1/nothing'),
  method_not_allowed: async () => api().delete('/v1/templates'),
  request_timeout: async () => {
    const patient = await startService({ env: { RECEIVE_SECONDS: '1' } })
    const connection = await openConnection(patient.urls.api)
    connection.send('GET /healthz HTTP/1.1\r\n')
    const { status, body } = await connection.answer()
    connection.close()
    await patient.close()
    return { status, body: JSON.parse(body) as unknown } as Response
  },
  duplicate: () => conflict('add_member'),
  write_conflict: () => conflict('update_workspace'),
  contact_pending: () => conflict('create_contact_request'),
  last_owner: () => conflict('remove_member'),
  owners_frozen: async () => {
    const person = await service.givenPerson()
    const now = service.now()
    const change = {
      token_hash: Buffer.from(person.accountId),
      account_id: scene.owner.accountId,
      old_email: 'old@example.com',
      new_email: scene.owner.email,
      changed_at: now,
      expires_at: new Date(now.getTime() + 1000),
    }
    await service.db.insertInto('email_changes').values(change).execute()
    const id = await givenMember(scene, person, 'owner', 'INVITED')
    return service.dashboard(person).post(`/api/invitations/${id}/accept`)
  },
  upload_used: () => conflict('complete_media_upload'),
  idempotency_mismatch: async () => {
    const headers = { 'Idempotency-Key': 'mismatch' }
    await call('create_workspace', { headers })
    return call('create_workspace', { headers })
  },
  idempotency_in_progress: () => callWhileRunning(),
  payload_too_large: () => producers[413]!('update_website'),
  unsupported_media_type: () => producers[415]!('update_website'),
  rate_limited: () => producers[429]!('list_templates'),
  internal: () => producers[500]!('get_config'),
  unavailable: () => producers[503]!('get_config'),
}

async function createWorkspace(change: object): Promise<Response> {
  const { body } = await validCall('create_workspace', scene)
  return call('create_workspace', { body: { ...(body as object), ...change } })
}

/** A guest's request for a sign-in code, where the policy requires a challenge of guests. */
async function askForCode(change: object): Promise<Response> {
  const body = { name: 'Ece', email: 'ece@example.com', ...change }
  return api().post(inWorkspace('experience/customer/otp/request')).send(body)
}

/** Retries while the first call with the same Idempotency-Key is in its handler. */
async function callWhileRunning(): Promise<Response> {
  const gate = new EventEmitter()
  services.fault.end = async () => {
    gate.emit('entered')
    await once(gate, 'released')
    throw new Error('The first call ends.')
  }
  const { body } = await validCall('create_workspace', scene)
  const parts = { headers: { 'Idempotency-Key': 'once' }, body }
  const entered = once(gate, 'entered')
  const first = call('create_workspace', parts, faulty)
  await entered
  const second = await call('create_workspace', parts, faulty)
  gate.emit('released')
  expect((await first).status).toBe(500)
  return second
}

describe('the error codes', () => {
  const codes = Object.keys(errorCodes) as ErrorCode[]

  test.each(codes)('include %s', async (code) => {
    const { status, body } = await refusals[code]()
    expect(body.code).toBe(code)
    expect([status, body.status]).toEqual([errorCodes[code].status, errorCodes[code].status])
  })
})
