import { type Access, accountOf, readableTags } from '../../access/access.ts'
import { preferredLanguages } from '../../core/languages.ts'
import { operations, type Scope } from '../../generated/operations.ts'
import type {
  AccountCaller,
  ByteCaller,
  Caller,
  ExpectedBytes,
  PublicCaller,
  SessionCaller,
  StaffCaller,
  VisitorCaller,
} from '../../operation.ts'
import { letEntriesWait, writeWaiting } from '../../queries/catalogue/feed.ts'
import { lockSession } from '../../queries/people/dashboard_sessions.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { reauthorise } from './admission.ts'
import type { Call, DoorCookies } from './call.ts'
import { requireCurrent } from './conditions.ts'
import { consumeLimit, countMore, isWithinLimit } from './limits.ts'
import { transact } from './reads/databases.ts'
import { headerOf } from './request_parts.ts'

/**
 * What every caller has. Classes, because getters of an object literal are defined anew for every call,
 * while few calls need the values, and some change during the call. The other members are functions of the
 * object, which a handler may destructure.
 */
class AnyCaller implements Caller {
  protected readonly call: Call
  private mailed = false

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

  get languages() {
    return preferredLanguages(headerOf(this.call.incoming, 'accept-language') ?? '')
  }

  get signal() {
    return this.call.incoming.signal()
  }

  get db() {
    return this.call.db
  }

  get config() {
    return this.call.service.config
  }

  get mediaStore() {
    return this.call.service.mediaStore
  }

  get botChallenge() {
    return this.call.service.botChallenge
  }

  get payments() {
    return this.call.service.payments
  }

  get aiModel() {
    return this.call.service.aiModel
  }

  get clientIp() {
    return this.call.incoming.clientIp
  }

  get isConditional() {
    const { headers, expectedUpdatedAt } = this.call.incoming
    return headers['if-match'] !== undefined || expectedUpdatedAt !== undefined
  }

  clock = () => this.call.service.clock()

  transaction: Caller['transaction'] = async (work) => {
    const { door, access, service } = this.call
    const output = await transact(this.call, async (trx) => {
      if (door.counts === 'sessions' && access) await lockSession(trx, access.connectionId)
      await this.call.writeRecord?.readBefore(trx)
      letEntriesWait(trx)
      const result = await work(trx)
      await this.call.idempotency?.store(trx, result)
      // Together with postponed entries of the change feed. Last, so that others wait for the shortest
      // time.
      await this.call.writeRecord?.addWith(trx, result)
      await writeWaiting(trx, this.now)
      return result
    })
    if (this.mailed) service.outbox.kick()
    service.webhooks.kick()
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
  requireCurrent = (representation: unknown) => requireCurrent(this.call.incoming, representation)

  /** What the door found out about the caller. */
  protected get access(): Access {
    const { access, operationId } = this.call
    if (!access) throw new Error(`${operationId} has no authenticated caller.`)
    return access
  }

  protected get cookies(): DoorCookies {
    const { cookies } = this.call.door
    if (!cookies) throw new Error('This door has no sessions.')
    return cookies
  }

  protected endSession(): void {
    this.call.headers['Set-Cookie'] = this.cookies.session.set('', { expires: new Date(0) })
    // Not "cookies": those include the cookies of every origin of the domain, and known browsers'.
    this.call.headers['Clear-Site-Data'] = '"cache"'
  }
}

/** The account of a key or a grant. */
class KeyCaller extends AnyCaller implements AccountCaller {
  get accountId() {
    return accountOf(this.access)
  }

  get connectionId() {
    return this.access.connectionId
  }

  get onlyWorkspaceId() {
    return this.access.onlyWorkspaceId ?? null
  }

  get download() {
    return this.call.service.publicDownload
  }

  get lookUpTxt() {
    return this.call.service.lookUpTxt
  }

  holds = (scope: Scope) => {
    const { scopes } = this.access
    return scopes === undefined || scopes.includes(scope)
  }

  readableTags = () => readableTags(this.access)

  get actorType() {
    return this.call.door.actorType(this.access)
  }

  get scopes() {
    return this.access.scopes ?? null
  }

  checkBody: AccountCaller['checkBody'] = (operation, body) =>
    this.call.service.checkBody(operation, body)

  countAs = (requests: number) => countMore(this.call, requests - 1)
  kickChangeSets = () => this.call.service.changeSets.kick()
  files = () => Promise.resolve(this.call.files)
}

/** An integrator's backend, for a visitor. */
class SiteCaller extends KeyCaller implements VisitorCaller {
  private get visit() {
    const { visit } = this.access
    if (!visit) throw new Error(`${this.call.operationId} visits no site.`)
    return visit
  }

  get site() {
    return this.visit.site
  }

  get visitor() {
    return this.visit.visitor
  }

  get deviceId() {
    const { deviceId } = this.visit
    return deviceId === undefined
      ? headerOf(this.call.incoming, 'x-guest-device-id')
      : (deviceId ?? undefined)
  }

  get page() {
    return this.access.page
  }

  get words() {
    return this.call.broadcast
  }
}

/** A person signed in to the dashboard. */
class PersonCaller extends KeyCaller implements SessionCaller {
  get sessionId() {
    return this.access.connectionId
  }

  get role() {
    return this.access.role
  }

  get browserToken() {
    return browserTokenOf(this.call)
  }

  signOut = () => this.endSession()
}

class AdministrationCaller extends AnyCaller implements StaffCaller {
  get sessionId() {
    return this.access.connectionId
  }

  get staffEmail() {
    const { staffEmail } = this.access
    if (staffEmail === undefined) throw new Error(`${this.call.operationId} is not of the staff.`)
    return staffEmail
  }

  signOut = () => this.endSession()
}

/** An unidentified caller: a person who is signing in, or the holder of an upload's secret address. */
class StrangerCaller extends AnyCaller implements PublicCaller, ByteCaller {
  get browserToken() {
    return browserTokenOf(this.call)
  }

  get userAgent() {
    return headerOf(this.call.incoming, 'user-agent')
  }

  signIn: PublicCaller['signIn'] = (session, browser) => {
    this.call.headers['Set-Cookie'] = [
      this.cookies.session.set(session.token, { expires: session.expiresAt }),
      this.cookies.browser.set(browser.token, { expires: browser.expiresAt }),
    ]
  }

  bytes = async (expected: ExpectedBytes) => {
    const { incoming, service } = this.call
    const arrived = incoming.bodyArrived()
    const bytes = await incoming.readBytes(expected)
    if (!arrived) this.call.now = service.clock()
    return bytes
  }
}

function browserTokenOf({ door, incoming }: Call): string | undefined {
  return door.cookies?.browser.read(headerOf(incoming, 'cookie'))
}

const callers = {
  accountKey: KeyCaller,
  dashboardSession: PersonCaller,
  staffSession: AdministrationCaller,
  none: StrangerCaller,
}

/** The caller of the kind that the operation's type promises its handler. */
export function callerOf(call: Call): Caller {
  const { surface, auth } = operations[call.operationId]
  return new (surface === 'experience' ? SiteCaller : callers[auth])(call)
}
