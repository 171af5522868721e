import type { IntegrationAccess } from '../../access/access.ts'
import { ApiError } from '../../core/errors.ts'
import { etagOf, strictlyMatches } from '../../core/etags.ts'
import { isInParts } from '../../core/json_text.ts'
import { preferredLanguages } from '../../core/languages.ts'
import type { Scope } from '../../generated/operations.ts'
import type {
  ByteCaller,
  Caller,
  ExpectedBytes,
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
import type { Call, DoorCookies, Incoming } from './call.ts'
import { consumeLimit, isWithinLimit } from './limits.ts'
import { headerOf } from './request_parts.ts'

/**
 * Parts that are read when they are asked for: few calls need them, or they change during the call.
 * Getters of a class, because those of an object literal are defined anew for every call.
 */
class LateParts {
  protected readonly call: Call

  constructor(call: Call) {
    this.call = call
  }

  get now() {
    return this.call.now
  }

  get log() {
    const { service, incoming, operationId } = this.call
    return service.log.child({ requestId: incoming.requestId, operation: operationId })
  }

  get site(): Site {
    const { access, operationId } = this.call
    if (!access?.visit) throw new Error(`${operationId} visits no site.`)
    return access.visit.site
  }

  get deviceId() {
    return headerOf(this.call.incoming, 'x-guest-device-id')
  }

  get languages() {
    return preferredLanguages(headerOf(this.call.incoming, 'accept-language') ?? '')
  }

  get browserToken() {
    const { door, incoming } = this.call
    return door.cookies?.browser.read(headerOf(incoming, 'cookie'))
  }

  get signal() {
    return this.call.incoming.signal()
  }
}

/**
 * All kinds of caller in one object; the operation's type narrows it for the handler, which may
 * take each part out of it.
 */
export class CallCaller
  extends LateParts
  implements SessionCaller, StaffCaller, PublicCaller, ByteCaller, VisitorCaller
{
  db = this.call.db
  config = this.call.service.config
  mediaStore = this.call.service.mediaStore
  botChallenge = this.call.service.botChallenge
  payments = this.call.service.payments
  aiModel = this.call.service.aiModel
  download = this.call.service.publicDownload
  clock = () => this.call.service.clock()
  clientIp = this.call.incoming.clientIp
  words = this.call.broadcast

  accountId = this.call.access?.accountId ?? ''
  connectionId = this.call.access?.connectionId ?? ''
  sessionId = this.connectionId
  onlyWorkspaceId = (this.call.access as Partial<IntegrationAccess>)?.onlyWorkspaceId ?? null
  role = this.call.access?.role ?? null
  staffEmail = this.call.access?.staffEmail ?? ''
  visitor = this.call.access?.visit?.visitor ?? null

  holds = (scope: Scope) => {
    const { scopes } = (this.call.access ?? {}) as Partial<IntegrationAccess>
    return scopes === undefined || scopes.includes(scope)
  }

  files = () => Promise.resolve(this.call.files)

  bytes = async (expected: ExpectedBytes) => {
    const { incoming, service } = this.call
    const arrived = incoming.bodyArrived()
    const bytes = await incoming.readBytes(expected)
    if (!arrived) this.call.now = service.clock()
    return bytes
  }

  private mailed = false

  transaction: Caller['transaction'] = async (work) => {
    const { door, access, db, service } = this.call
    const output = await db.transaction().execute(async (trx) => {
      if (door.counts === 'sessions' && access) await lockSession(trx, access.connectionId)
      await this.call.writeRecord?.readBefore(trx)
      const result = await work(trx)
      await this.call.writeRecord?.addWith(trx, result)
      await this.call.idempotency?.store(trx, result)
      return result
    })
    if (this.mailed) service.outbox.kick()
    return output
  }

  reauthorise = () => reauthorise(this.call)

  outlast: Caller['outlast'] = async (work) => {
    const { outlasting } = this.call.service
    outlasting.add(work)
    try {
      return await work
    } finally {
      outlasting.delete(work)
    }
  }

  sendMail: Caller['sendMail'] = async (trx, mail) => {
    await insertMail(trx, mail)
    this.mailed = true
  }

  consume: Caller['consume'] = (limit, key) => consumeLimit(this.call.service, limit, key)
  tryConsume: Caller['tryConsume'] = (limit, key) => isWithinLimit(this.call.service, limit, key)

  isConditional =
    this.call.incoming.headers['if-match'] !== undefined ||
    this.call.incoming.expectedUpdatedAt !== undefined
  requireCurrent = (representation: unknown) => requireCurrent(this.call.incoming, representation)

  signIn: PublicCaller['signIn'] = (session, browser) => {
    const cookies = this.cookies()
    this.call.headers['Set-Cookie'] = [
      cookies.session.set(session.token, { expires: session.expiresAt }),
      cookies.browser.set(browser.token, { expires: browser.expiresAt }),
    ]
  }

  signOut = () => {
    this.call.headers['Set-Cookie'] = this.cookies().session.set('', { expires: new Date(0) })
    // Not "cookies", which are those of every origin of the domain, known browsers' included.
    this.call.headers['Clear-Site-Data'] = '"cache"'
  }

  private cookies(): DoorCookies {
    const { cookies } = this.call.door
    if (!cookies) throw new Error('This door has no sessions.')
    return cookies
  }
}

/** Refuses a write of what has changed since the caller read it, whole or in brief. */
function requireCurrent({ headers, expectedUpdatedAt }: Incoming, representation: unknown): void {
  const text = isInParts(representation) ? representation.brief : jsonOf(representation)
  const expected = headers['if-match']
  // Tools and repeated calls have seen the brief form of what is too heavy, and its tag.
  const tags = [etagOf(text ?? ''), ...(isInParts(representation) ? [representation.etag] : [])]
  const matches =
    typeof expected !== 'string' ||
    tags.some((tag) => tag !== undefined && strictlyMatches(expected, tag))
  if (!matches || !isAsOf(expectedUpdatedAt, text))
    throw new ApiError('write_conflict', 'writeConflict')
}

function isAsOf(expectedUpdatedAt: string | undefined, text: string | undefined): boolean {
  if (expectedUpdatedAt === undefined) return true
  const { updatedAt } = JSON.parse(text ?? '{}') as { updatedAt?: string }
  return updatedAt === expectedUpdatedAt
}
