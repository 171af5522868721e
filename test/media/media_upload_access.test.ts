import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentVersion } from '../../src/access/tokens.ts'
import type { components } from '../../src/generated/types.ts'
import { givenShop, outcomeOf, type Shop } from '../kit/catalogue.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'
import { image } from './pictures.ts'
import { filesOf, givenUploadPath, uploadNotFound, mediaOf, putBytes } from './upload_urls.ts'

const minute = 60_000
let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const put = (path: string, bytes: Buffer, headers?: Record<string, string>) =>
  putBytes(service, path, bytes, headers)

describe('the creator of an upload URL', () => {
  interface UploadGrant {
    shop: Shop
    keyId: string
    path: string
    bytes: Buffer
  }

  async function givenUpload(): Promise<UploadGrant> {
    const shop = await givenShop(service)
    const { id: keyId, key } = await service.givenKey(shop.person, { expiresInDays: 365 })
    const bytes = await image()
    return {
      shop,
      keyId,
      bytes,
      path: await givenUploadPath({ ...shop, api: service.api(key) }, bytes),
    }
  }

  const set = (table: string, change: object, where: string, value: string) => {
    const pairs = Object.entries(change).map(([name, to]) => sql`${sql.ref(name)} = ${to}`)
    return sql`update ${sql.table(table)} set ${sql.join(pairs)} where ${sql.ref(where)} = ${value}`
      .execute(service.db)
      .then(() => undefined)
  }

  const sourceOf = async ({ keyId }: UploadGrant) =>
    (
      await service.db
        .selectFrom('api_keys')
        .select('source_id')
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow()
    ).source_id

  test.each<[string, string, (upload: UploadGrant, back: boolean) => Promise<void>]>([
    [
      'must have an active account',
      'account_inactive',
      ({ shop }, back) => set('accounts', status(back), 'id', shop.person.accountId),
    ],
    [
      'must have an active workspace',
      'workspace_inactive',
      ({ shop }, back) => set('workspaces', status(back), 'id', shop.workspaceId),
    ],
    [
      'must be its owner',
      'not_owner',
      ({ shop }, back) =>
        set('members', { role: back ? 'owner' : 'staff' }, 'workspace_id', shop.workspaceId),
    ],
    [
      'must be its active owner',
      'not_owner',
      ({ shop }, back) => set('members', status(back), 'workspace_id', shop.workspaceId),
    ],
    [
      'must not be a blocked integration',
      'source_blocked',
      async (upload, back) =>
        set(
          'integration_sources',
          { status: back ? 'APPROVED' : 'BLOCKED' },
          'id',
          await sourceOf(upload),
        ),
    ],
  ])('%s when the bytes arrive', async (_title, code, change) => {
    const upload = await givenUpload()
    await change(upload, false)
    expect(outcomeOf(await put(upload.path, upload.bytes))).toEqual([403, code, {}])
    expect(filesOf(upload.shop)).toEqual([])
    await change(upload, true)
    expect((await put(upload.path, upload.bytes)).status).toBe(200)
  })

  test('loses it when the key is revoked', async () => {
    const upload = await givenUpload()
    await service.dashboard(upload.shop.person).delete(`/api/keys/${upload.keyId}`).expect(200)
    expect((await put(upload.path, upload.bytes)).body).toEqual(uploadNotFound)
    expect((await mediaOf(upload.shop)).total).toBe(0)
  })

  test('loses it when the key expires', async () => {
    const upload = await givenUpload()
    await set('api_keys', { expires_at: service.now() }, 'id', upload.keyId)
    expect((await put(upload.path, upload.bytes)).body).toEqual(uploadNotFound)
  })

  test('may be an agent, as long as its grant is valid', async () => {
    const upload = await givenUpload()
    const { grantId, sourceId } = await service.givenAgent(upload.shop.person)
    const { workspaceId } = upload.shop
    await set('media_uploads', { connection_id: grantId }, 'workspace_id', workspaceId)
    const attempt = async (table: string, id: string, change: object, back: object) => {
      await set(table, change, 'id', id)
      const answer = await put(upload.path, upload.bytes)
      await set(table, back, 'id', id)
      return answer
    }
    const later = new Date(service.now().getTime() + minute)
    const answers = [
      await attempt('grants', grantId, { revoked_at: service.now() }, { revoked_at: null }),
      await attempt('grants', grantId, { expires_at: service.now() }, { expires_at: later }),
      await attempt('grants', grantId, { consent_version: 1 }, { consent_version: consentVersion }),
    ]
    expect(answers.map(({ body }) => body)).toEqual([
      uploadNotFound,
      uploadNotFound,
      uploadNotFound,
    ])
    const [blocked, approved] = [{ status: 'BLOCKED' }, { status: 'APPROVED' }]
    const refusal = await attempt('integration_sources', sourceId, blocked, approved)
    expect(outcomeOf(refusal)).toEqual([403, 'source_blocked', {}])
    expect((await put(upload.path, upload.bytes)).status).toBe(200)
  })

  /** An upload URL requested at the dashboard. */
  async function uploadPathAtDashboard(person: Person, shop: Shop, bytes: Buffer): Promise<string> {
    return givenUploadPath({ ...shop, api: service.dashboard(person) }, bytes)
  }

  test('may be staff at the dashboard, while they keep the role and the session', async () => {
    const shop = await givenShop(service)
    const person = await service.givenPerson()
    const workspace = { id: shop.workspaceId } as components['schemas']['Workspace']
    const memberId = await givenMember({ service, workspace }, person, 'staff')
    const bytes = await image()
    const paths = [
      await uploadPathAtDashboard(person, shop, bytes),
      await uploadPathAtDashboard(person, shop, bytes),
      await uploadPathAtDashboard(person, shop, bytes),
    ] as const
    expect((await put(paths[0], bytes)).status).toBe(200)
    await set('members', { role: 'billing' }, 'id', memberId)
    expect(outcomeOf(await put(paths[1], bytes))).toEqual([403, 'role_insufficient', {}])
    await set('members', { role: 'staff' }, 'id', memberId)
    expect((await put(paths[1], bytes)).status).toBe(200)
    await service.dashboard(person).delete('/api/session').expect(200)
    expect((await put(paths[2], bytes)).body).toEqual(uploadNotFound)
  })

  test('loses it when the session expires', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await uploadPathAtDashboard(shop.person, shop, bytes)
    const { accountId } = shop.person
    await set('dashboard_sessions', { expires_at: service.now() }, 'account_id', accountId)
    expect((await put(path, bytes)).body).toEqual(uploadNotFound)
  })

  function status(back: boolean): { status: string } {
    return { status: back ? 'ACTIVE' : 'SUSPENDED' }
  }
})
