import { ApiError, unavailable } from '../core/errors.ts'
import type { RefusalKey } from '../texts/refusals.ts'
import { NoPlaceError } from '../fairness/shares.ts'

const duplicate = (field: string, reason: RefusalKey) => () =>
  new ApiError('duplicate', reason, { [field]: reason })

/** What each unique constraint means to a caller. Names are those written in the migrations. */
const conflicts: Record<string, () => ApiError> = {
  accounts_email_key: duplicate('email', 'accountEmailTaken'),
  products_workspace_name_key: duplicate('name', 'productNameTaken'),
  products_workspace_sku_key: duplicate('sku', 'productSkuTaken'),
  products_workspace_barcode_key: duplicate('barcode', 'productBarcodeTaken'),
  products_workspace_name_turkic_key: duplicate('name', 'productNameTaken'),
  products_workspace_sku_turkic_key: duplicate('sku', 'productSkuTaken'),
  products_workspace_barcode_turkic_key: duplicate('barcode', 'productBarcodeTaken'),
  contact_requests_unread_key: () => new ApiError('contact_pending', 'contactPending'),
  site_domains_workspace_name_key: duplicate('name', 'domainAdded'),
  site_domains_verified_key: duplicate('name', 'domainTaken'),
  members_workspace_email_key: duplicate('email', 'memberInvited'),
  members_workspace_account_key: duplicate('email', 'memberAlready'),
}

/**
 * SQLSTATEs that say the database cannot serve now: connection, rollback, resources, shutdown. Also those
 * by which an operator keeps the service out: read-only (25006), login refused (28), no such database
 * (3D000), no permission (42501), no connections allowed (55000). A distributed database answers 58030 if
 * it loses a node in the middle of a statement.
 */
const outage = /^(08|25006|28|3D000|40|42501|53|55000|57P0|57014|58030)/
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])
/** The errors of connecting to a socket file while the database is away or busy. */
const socketErrors = new Set(['ENOENT', 'EAGAIN'])
/** pg reports these without a code. */
const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/
/** The coordinator of a distributed database reports a lost node as an internal error with this text. */
const lostNode =
  /^(failure on connection marked as essential|server closed the connection unexpectedly|could not (send data to|receive data from) server|no connection to the server)/

/** On a distributed database a constraint's name ends with the number of the shard it is checked on. */
const withoutShard = (constraint: string) => constraint.replace(/_\d+$/, '')

interface DatabaseFault {
  constraint?: string
  code?: string
  syscall?: string
}

/** The refusal that a database error means to a caller; any other error unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const { constraint, code = '', syscall } = error as DatabaseFault
  const conflict = constraint === undefined ? undefined : conflicts[withoutShard(constraint)]
  if (conflict) return conflict()
  if (error instanceof NoPlaceError) return unavailable()
  if (outage.test(code) || networkErrors.has(code)) return unavailable()
  if (syscall === 'connect' && socketErrors.has(code)) return unavailable()
  if (lostConnection.test(error.message) || lostNode.test(error.message)) return unavailable()
  return error
}

/**
 * SQLSTATEs of statements that the database ended for the sake of others: they took too long (57014),
 * deadlocked with others (40), or needed too much memory (53200) or room for temporary files (53400).
 */
const brokenOff = /^(40|53200|53400|57014)/

/** Whether a statement may fail again on a healthy database, so that it must not be retried for ever. */
export const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && brokenOff.test((error as DatabaseFault).code ?? '')

/**
 * SQLSTATEs of a database that takes no writes: its disk is full (53100), it is read-only after a failover
 * (25006), or is being shut down (57P01).
 */
const writeless = /^(25006|53100|57P01)/

/** Whether the database would have refused any write, whatever the statement. */
export const takesNoWrites = (error: unknown): boolean =>
  error instanceof Error && writeless.test((error as DatabaseFault).code ?? '')
