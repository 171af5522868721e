import { ApiError } from '../core/errors.ts'
import { etagOf, strictlyMatches } from '../core/etags.ts'
import { scaledLimit } from '../domain/rate_limits.ts'
import type { PublicCaller, SessionCaller } from '../operation.ts'
import { insertMail } from '../queries/mails.ts'
import { jsonOf, tooManyRequests } from './answers.ts'
import type { Call } from './pipeline.ts'

/** Every kind of caller at once; the operation's type shows a handler its own. */
export function createCaller(call: Call): SessionCaller & PublicCaller {
  const { service, door, incoming, headers, now } = call
  const { db, config, mediaStore, aiModel } = service
  let mailed = false

  function setSession(token: string, expiresAt: Date): void {
    if (!door.sessionCookie) throw new Error('This door has no sessions.')
    headers['Set-Cookie'] = door.sessionCookie(token, expiresAt)
  }

  return {
    ...{ db, config, mediaStore, aiModel, now },
    files: () => Promise.resolve(call.files),
    get log() {
      return service.log.child({ requestId: incoming.requestId, operation: call.operationId })
    },
    clientIp: incoming.clientIp,
    accountId: call.access?.accountId ?? '',
    sessionId: call.access?.connectionId ?? '',

    async transaction(work) {
      const output = await db.transaction().execute(async (trx) => {
        const result = await work(trx)
        await call.idempotency?.store(trx, result)
        return result
      })
      if (mailed) service.outbox.kick()
      return output
    },
    async sendMail(trx, mail) {
      await insertMail(trx, mail)
      mailed = true
    },
    async consume(limit, key) {
      const scaled = scaledLimit(limit, config.rateLimitPerMinute)
      const verdict = await service.rateStore.consume(scaled, key)
      if (!verdict.allowed) throw tooManyRequests(verdict.resetSeconds)
    },
    requireCurrent(representation) {
      const expected = incoming.headers['if-match']
      const current = etagOf(jsonOf(representation) ?? '')
      if (typeof expected === 'string' && !strictlyMatches(expected, current))
        throw new ApiError(
          'write_conflict',
          'The resource has changed since it was read. Read it again, then write.',
        )
    },
    signIn: setSession,
    signOut: () => setSession('', new Date(0)),
  }
}
