import type { IntegrationAccess } from '../../access/access.ts'
import { ApiError } from '../../core/errors.ts'
import { etagOf, strictlyMatches } from '../../core/etags.ts'
import { isInParts } from '../../core/json_text.ts'
import { preferredLanguages } from '../../core/languages.ts'
import type {
  ByteCaller,
  PublicCaller,
  SessionCaller,
  Site,
  StaffCaller,
  VisitorCaller,
} from '../../operation.ts'
import { lockSession } from '../../queries/people/dashboard_sessions.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { reauthorise } from './admission.ts'
import { jsonOf } from './answers.ts'
import type { Call, Incoming } from './call.ts'
import { consumeLimit, isWithinLimit } from './limits.ts'
import { headerOf } from './request_parts.ts'

/** Builds all kinds of caller in one object; the operation's type narrows it for the handler. */
export function createCaller(
  call: Call,
): SessionCaller & StaffCaller & PublicCaller & ByteCaller & VisitorCaller {
  const { service, door, incoming, headers, db } = call
  const { config, mediaStore, botChallenge, payments, aiModel, publicDownload } = service
  let mailed = false

  function setSession(token: string, expiresAt: Date): void {
    if (!door.sessionCookie) throw new Error('This door has no sessions.')
    headers['Set-Cookie'] = door.sessionCookie(token, expiresAt)
  }

  return {
    db,
    config,
    mediaStore,
    botChallenge,
    payments,
    aiModel,
    get now() {
      return call.now
    },
    clock: () => service.clock(),
    files: () => Promise.resolve(call.files),
    download: publicDownload,
    async bytes(expected) {
      const arrived = incoming.bodyArrived()
      const bytes = await incoming.readBytes(expected)
      if (!arrived) call.now = service.clock()
      return bytes
    },
    get log() {
      return service.log.child({ requestId: incoming.requestId, operation: call.operationId })
    },
    clientIp: incoming.clientIp,
    accountId: call.access?.accountId ?? '',
    connectionId: call.access?.connectionId ?? '',
    onlyWorkspaceId: (call.access as Partial<IntegrationAccess>)?.onlyWorkspaceId ?? null,
    holds(scope) {
      const { scopes } = (call.access ?? {}) as Partial<IntegrationAccess>
      return scopes === undefined || scopes.includes(scope)
    },
    sessionId: call.access?.connectionId ?? '',
    role: call.access?.role ?? null,
    staffEmail: call.access?.staffEmail ?? '',
    visitor: call.access?.visit?.visitor ?? null,
    get site() {
      return siteOf(call)
    },
    words: call.broadcast,
    get deviceId() {
      return headerOf(incoming, 'x-guest-device-id')
    },
    get languages() {
      return preferredLanguages(headerOf(incoming, 'accept-language') ?? '')
    },

    async transaction(work) {
      const output = await db.transaction().execute(async (trx) => {
        if (door.counts === 'sessions' && call.access)
          await lockSession(trx, call.access.connectionId)
        await call.writeRecord?.readBefore(trx)
        const result = await work(trx)
        await call.writeRecord?.addWith(trx, result)
        await call.idempotency?.store(trx, result)
        return result
      })
      if (mailed) service.outbox.kick()
      return output
    },
    get signal() {
      return incoming.signal()
    },
    reauthorise: () => reauthorise(call),
    async outlast(work) {
      service.outlasting.add(work)
      try {
        return await work
      } finally {
        service.outlasting.delete(work)
      }
    },
    async sendMail(trx, mail) {
      await insertMail(trx, mail)
      mailed = true
    },
    consume: (limit, key) => consumeLimit(service, limit, key),
    tryConsume: (limit, key) => isWithinLimit(service, limit, key),
    isConditional:
      incoming.headers['if-match'] !== undefined || incoming.expectedUpdatedAt !== undefined,
    requireCurrent: (representation) => requireCurrent(incoming, representation),
    signIn: setSession,
    signOut: () => setSession('', new Date(0)),
  }
}

function siteOf({ access, operationId }: Call): Site {
  if (!access?.visit) throw new Error(`${operationId} visits no site.`)
  return access.visit.site
}

/** Refuses a write of what has changed since the caller read it, whole or in brief. */
function requireCurrent({ headers, expectedUpdatedAt }: Incoming, representation: unknown): void {
  const text = isInParts(representation) ? representation.brief : jsonOf(representation)
  const expected = headers['if-match']
  const matches = typeof expected !== 'string' || strictlyMatches(expected, etagOf(text ?? ''))
  if (!matches || !isAsOf(expectedUpdatedAt, text))
    throw new ApiError('write_conflict', 'writeConflict')
}

function isAsOf(expectedUpdatedAt: string | undefined, text: string | undefined): boolean {
  if (expectedUpdatedAt === undefined) return true
  const { updatedAt } = JSON.parse(text ?? '{}') as { updatedAt?: string }
  return updatedAt === expectedUpdatedAt
}
