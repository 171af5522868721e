import { createHash, randomBytes } from 'node:crypto'
import { hashToken } from '../../src/core/secrets.ts'
import type { components } from '../../src/generated/types.ts'
import type { TestService } from '../kit/service.ts'
import { bearer, cookie, type Scene, staffCookie } from './fixtures.ts'

type Headers = Record<string, string>

/** Headers, and the code they are refused with. */
export type Wrong = Record<string, [headers: Headers, code: components['schemas']['ErrorCode']]>

/** Kinds of credential that are valid at none of the three doors. */
export const otherKinds = ['wsu', 'wsa', 'wsr', 'wsv', 'wsg', 'wst']

async function wrongAtApi({ service, owner, key, staff }: Scene): Promise<Wrong> {
  const session = owner.cookie.replace('vitrine_session=', '')
  const { key: expired } = await service.givenKey(owner, { expiresInDays: 0 })
  const { key: revoked, id } = await service.givenKey(owner)
  await service.dashboard(owner).delete(`/api/keys/${id}`).expect(200)
  return {
    none: [{}, 'unauthenticated'],
    'a session cookie': [cookie(service, owner.cookie), 'unauthenticated'],
    'a session token': [bearer(session), 'unauthenticated'],
    'a staff cookie': [staffCookie(service, staff.cookie), 'unauthenticated'],
    'a staff token': [bearer(staff.cookie.replace('vitrine_staff=', '')), 'unauthenticated'],
    'a key as a cookie': [cookie(service, `vitrine_session=${key}`), 'unauthenticated'],
    'a key without its scheme': [{ Authorization: key }, 'unauthenticated'],
    'a key of another scheme': [{ Authorization: `Basic ${key}` }, 'unauthenticated'],
    'no token': [{ Authorization: 'Bearer ' }, 'unauthenticated'],
    'no key at all': [bearer('nonsense'), 'unauthenticated'],
    'a damaged key': [bearer(damaged(key)), 'unauthenticated'],
    'an unknown key': [bearer(tokenLike('wsk', 'dev')), 'unauthenticated'],
    'a key of production': [bearer(tokenLike('wsk', 'live')), 'wrong_environment'],
    'a damaged key of production': [bearer(damaged(tokenLike('wsk', 'live'))), 'wrong_environment'],
    'an expired key': [bearer(expired), 'token_expired'],
    'a revoked key': [bearer(revoked), 'token_revoked'],
    "an agent's access token": [bearer((await service.givenAgent(owner)).token), 'unauthenticated'],
    ...ofOtherKinds(bearer),
  }
}

async function wrongAtMcp({ service, owner, key }: Scene): Promise<Wrong> {
  const { token } = await service.givenAgent(owner)
  const kinds = ['wsk', 'wsd', ...otherKinds]
  /** A token of another connection of the owner, modified before use. */
  const tokenWith = async (table: 'grants' | 'access_tokens', change: object) => {
    const { token: other, grantId } = await service.givenAgent(owner)
    const column = table === 'grants' ? 'id' : 'grant_id'
    await service.db.updateTable(table).set(change).where(column, '=', grantId).execute()
    return bearer(other)
  }
  const now = service.now()
  return {
    none: [{}, 'unauthenticated'],
    'an API key': [bearer(key), 'unauthenticated'],
    'a session cookie': [{ Cookie: owner.cookie }, 'unauthenticated'],
    'a token without its scheme': [{ Authorization: token }, 'unauthenticated'],
    'no token': [{ Authorization: 'Bearer ' }, 'unauthenticated'],
    'a damaged token': [bearer(damaged(token)), 'unauthenticated'],
    'a token of production': [bearer(tokenLike('wsa', 'live')), 'wrong_environment'],
    'an expired token': [await tokenWith('access_tokens', { expires_at: now }), 'token_expired'],
    'an expired connection': [await tokenWith('grants', { expires_at: now }), 'token_expired'],
    'a revoked connection': [await tokenWith('grants', { revoked_at: now }), 'token_revoked'],
    'an older consent': [await tokenWith('grants', { consent_version: 1 }), 'token_expired'],
    'a token of another resource': [
      await tokenWith('grants', { resource: `${service.config.baseUrl}/other` }),
      'unauthenticated',
    ],
    ...Object.fromEntries(
      kinds.map((kind) => [kind, [bearer(tokenLike(kind, 'dev')), 'unauthenticated']]),
    ),
  }
}

async function wrongAtDashboard({ service, owner, key, staff }: Scene): Promise<Wrong> {
  const sessionHeaders = sessionAt(service)
  const session = owner.cookie.replace('vitrine_session=', '')
  const withBearer = (token: string) => ({ ...bearer(token), Origin: service.config.dashboardUrl })
  const expired = await service.givenPerson({ email: owner.email })
  await service.db
    .updateTable('dashboard_sessions')
    .set({ expires_at: service.now() })
    .where('token_hash', '=', hashToken(expired.cookie.replace('vitrine_session=', '')))
    .execute()
  const ended = await service.givenPerson({ email: owner.email })
  await service.dashboard(ended).delete('/api/session').expect(200)
  return {
    none: [{ Origin: service.config.dashboardUrl }, 'unauthenticated'],
    'an API key': [withBearer(key), 'unauthenticated'],
    'an API key as a cookie': [sessionHeaders(key), 'unauthenticated'],
    'a staff cookie': [cookie(service, staff.cookie), 'unauthenticated'],
    'a staff token': [
      sessionHeaders(staff.cookie.replace('vitrine_staff=', '')),
      'unauthenticated',
    ],
    'a session token as a bearer': [withBearer(session), 'unauthenticated'],
    'another cookie': [cookie(service, `session=${session}`), 'unauthenticated'],
    'an empty cookie': [sessionHeaders(''), 'unauthenticated'],
    'no token at all': [sessionHeaders('nonsense'), 'unauthenticated'],
    'a damaged token': [sessionHeaders(damaged(session)), 'unauthenticated'],
    'an unknown token': [sessionHeaders(tokenLike('wsd', 'dev')), 'unauthenticated'],
    'a token of production': [sessionHeaders(tokenLike('wsd', 'live')), 'wrong_environment'],
    'an expired session': [cookie(service, expired.cookie), 'token_expired'],
    'a session that was signed out': [cookie(service, ended.cookie), 'unauthenticated'],
    ...ofOtherKinds(sessionHeaders),
  }
}

async function wrongAtAdministration({ service, owner, key, staff }: Scene): Promise<Wrong> {
  const staffHeaders = staffSessionAt(service)
  const token = staff.cookie.replace('vitrine_staff=', '')
  const session = owner.cookie.replace('vitrine_session=', '')
  const { token: agents } = await service.givenAgent(owner)
  const Origin = service.config.adminUrl
  const expired = await service.givenStaff()
  await service.db
    .updateTable('staff_sessions')
    .set({ expires_at: service.now() })
    .where('token_hash', '=', hashToken(expired.cookie.replace('vitrine_staff=', '')))
    .execute()
  const ended = await service.givenStaff()
  await service.admin(ended).delete('/api/admin/session').expect(200)
  const former = await service.givenStaff()
  await service.db.deleteFrom('staff').where('email', '=', former.email).execute()
  return {
    none: [{ Origin }, 'unauthenticated'],
    'an API key': [{ ...bearer(key), Origin }, 'unauthenticated'],
    'an API key as a cookie': [staffHeaders(key), 'unauthenticated'],
    'an access token': [{ ...bearer(agents), Origin }, 'unauthenticated'],
    'an access token as a cookie': [staffHeaders(agents), 'unauthenticated'],
    'a dashboard session': [{ Cookie: owner.cookie, Origin }, 'unauthenticated'],
    'a dashboard session as the staff cookie': [staffHeaders(session), 'unauthenticated'],
    'a staff token as a bearer': [{ ...bearer(token), Origin }, 'unauthenticated'],
    'another cookie': [staffCookie(service, `staff=${token}`), 'unauthenticated'],
    'an empty cookie': [staffHeaders(''), 'unauthenticated'],
    'a damaged token': [staffHeaders(damaged(token)), 'unauthenticated'],
    'an unknown token': [staffHeaders(tokenLike('wss', 'dev')), 'unauthenticated'],
    'a token of production': [staffHeaders(tokenLike('wss', 'live')), 'wrong_environment'],
    'an expired session': [staffCookie(service, expired.cookie), 'token_expired'],
    'a session that was signed out': [staffCookie(service, ended.cookie), 'unauthenticated'],
    'a former staff member': [staffCookie(service, former.cookie), 'unauthenticated'],
    ...ofOtherKinds(staffHeaders),
  }
}

export const makeWrong = {
  api: wrongAtApi,
  mcp: wrongAtMcp,
  dashboard: wrongAtDashboard,
  admin: wrongAtAdministration,
}

/** A token sent as a staff session. */
export const staffSessionAt =
  (service: TestService) =>
  (token: string): Headers =>
    staffCookie(service, `vitrine_staff=${token}`)

/** A token sent as an account session. */
export const sessionAt =
  (service: TestService) =>
  (token: string): Headers =>
    cookie(service, `vitrine_session=${token}`)

function ofOtherKinds(headersFor: (token: string) => Headers): Wrong {
  return Object.fromEntries(
    otherKinds.map((kind) => [kind, [headersFor(tokenLike(kind, 'dev')), 'unauthenticated']]),
  )
}

/** A well-formed credential with a valid checksum that was never issued. */
export function tokenLike(kind: string, environment: 'dev' | 'live'): string {
  const body = `${kind}_${environment}_${randomBytes(32).toString('base64url')}`
  return body + createHash('sha256').update(body).digest('base64url').slice(0, 6)
}

export function damaged(token: string): string {
  return token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
}
