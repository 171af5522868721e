import type { Kysely } from 'kysely'
import { type PublicAnswer, PublicFetchBusy, PublicFetchError } from '../adapters/public_fetch.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { publicHttpsFault } from '../core/public_urls.ts'
import { integrationNameOf, shortened } from '../core/text.ts'
import { minute } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import {
  type ClientRow,
  ensureAgentSource,
  findAgentSource,
  findClientRow,
  putClient,
  type SourceRow,
  updateFreshUntil,
} from '../queries/agents/oauth_clients.ts'
import { type ClientMetadata, readClientMetadata } from './client_metadata.ts'
import { OAuthError, sourceBlocked } from './errors.ts'
import { redirectHostOf } from './redirect_uris.ts'

/** The parts of the service that the authorization server's rules need. */
export interface OAuthParts {
  db: Kysely<Database>
  /** Fetches a document that a client has published, attributed to the caller. */
  publicFetch: (url: string) => Promise<PublicAnswer>
  /** Whether clients may be described by a document; if not, the stored ones stay as they are. */
  takesDocuments: boolean
  /** Consumes the caller's rate limit before we fetch for an unknown client, or refuses. */
  admitStranger: () => Promise<void>
  /** Callbacks of native agents with a scheme of their own that the operator allows. */
  nativeCallbacks: string[]
  /** The base URL without a trailing slash, byte for byte the same everywhere. */
  issuer: string
  clock: () => Date
  log: Log
}

/** A client whose source is not blocked, unless it only revokes a connection. */
export interface Client {
  id: string
  sourceId: string
  metadata: ClientMetadata
}

/** The answer to a registration: RFC 7591, section 3.2.1, without a secret. */
export interface Registration extends ClientMetadata {
  client_id: string
  client_id_issued_at: number
}

/**
 * Finds a client by id: a registered one, or the one described by the document at this https URL.
 * Refuses an unknown client with `invalid_client` and one of a blocked source with `access_denied`.
 */
export async function findClient(parts: OAuthParts, clientId: string): Promise<Client> {
  if (/^https:/i.test(clientId)) return findDocumentClient(parts, clientId)
  const row = isRegisteredId(clientId) ? await findClientRow(parts.db, clientId) : undefined
  if (!row) throw new OAuthError('invalid_client', 'There is no such client. Register again.')
  return admit(row)
}

/**
 * Like `findClient`, but only for clients seen before, which includes every holder of a code or token. A
 * document is fetched for the first time only when a person is asked for consent, never here.
 */
export async function findKnownClient(parts: OAuthParts, clientId: string): Promise<Client> {
  if (/^https:/i.test(clientId) && !(await findStoredRow(parts, clientId)))
    throw new OAuthError('invalid_client', 'There is no such client. Authorize first.')
  return findClient(parts, clientId)
}

/**
 * Like `findKnownClient`, but for revoking a connection, which a block must not prevent: otherwise
 * the connection would be alive again once the block is lifted. A blocked client is not fetched
 * again.
 */
export async function findRevokingClient(parts: OAuthParts, clientId: string): Promise<Client> {
  const row = await findStoredRow(parts, clientId)
  return row?.sourceStatus === 'BLOCKED' ? clientOf(row) : findKnownClient(parts, clientId)
}

/** Open registration; every client gets a new id. */
export async function registerClient(parts: OAuthParts, body: unknown): Promise<Registration> {
  const { nativeCallbacks } = parts
  const metadata = readClientMetadata(body, { nativeCallbacks })
  const now = parts.clock()
  const id = newId('client')
  const identity = registeredIdentity(metadata)
  await storeClient(parts, { id, identity, metadata, freshUntil: null, now })
  return { client_id: id, client_id_issued_at: Math.floor(now.getTime() / 1000), ...metadata }
}

/** Finds a client by any text. A text with NUL matches none, and would make the query fail. */
async function findStoredRow({ db }: OAuthParts, id: string): Promise<ClientRow | undefined> {
  return id.includes('\0') ? undefined : findClientRow(db, id)
}

function isRegisteredId(id: string): boolean {
  return /^client_[0-9a-z]{26}$/.test(id)
}

function admit(row: ClientRow): Client {
  if (row.sourceStatus === 'BLOCKED') throw sourceBlocked()
  return clientOf(row)
}

function clientOf({ id, sourceId, metadata }: ClientRow): Client {
  return { id, sourceId, metadata: metadata as ClientMetadata }
}

/**
 * The self-declared identity of a registered client: its software id, otherwise its name and
 * redirect hosts. Each kind has its own prefix, so that none can pass for another.
 */
function registeredIdentity(metadata: ClientMetadata): string {
  const software = integrationNameOf(metadata.software_id ?? '')
  if (software !== '') return `software:${software}`
  const hosts = [...new Set(metadata.redirect_uris.map(redirectHostOf))].sort().join(',')
  return `client:${shortened(hosts)}/${integrationNameOf(metadata.client_name ?? '')}`
}

interface StoredClient {
  id: string
  identity: string
  metadata: ClientMetadata
  freshUntil: Date | null
  now: Date
}

async function storeClient(
  { db }: OAuthParts,
  { identity, ...client }: StoredClient,
): Promise<Client> {
  const { client_name, software_id } = client.metadata
  const name = client_name ?? software_id ?? identity.slice(identity.indexOf(':') + 1)
  const { sourceId } = await db.transaction().execute(async (trx) => {
    const source = await ensureAgentSource(trx, { identity, name, now: client.now })
    if (source.sourceStatus === 'BLOCKED') throw sourceBlocked()
    await putClient(trx, { ...client, sourceId: source.sourceId })
    return source
  })
  return { id: client.id, sourceId, metadata: client.metadata }
}

async function findDocumentClient(parts: OAuthParts, url: string): Promise<Client> {
  const identity = `document:${requireDocumentUrl(url).hostname}`
  const row = await findClientRow(parts.db, url)
  const source: SourceRow | undefined = row ?? (await findAgentSource(parts.db, identity))
  // Checked before fetching: a blocked host is never contacted.
  if (source?.sourceStatus === 'BLOCKED') throw sourceBlocked()
  const now = parts.clock()
  if (row && (!parts.takesDocuments || now < new Date(row.freshUntil ?? 0))) return admit(row)
  if (!parts.takesDocuments)
    throw new OAuthError('invalid_client', 'Client metadata documents are not accepted. Register.')

  if (!row) await parts.admitStranger()
  const answer = await ask(parts, url)
  if (answer === 'busy') {
    if (row) return admit(row)
    const reason = 'Too many client metadata documents are being fetched. Try again shortly.'
    throw new OAuthError('temporarily_unavailable', reason, { retryAfter: busySeconds })
  }
  if (answer?.status === 200) {
    const metadata = readDocument(parts, url, answer.body)
    const freshUntil = freshUntilOf(answer.freshSeconds, now)
    return storeClient(parts, { id: url, identity, metadata, freshUntil, now })
  }
  // The document was removed, which is different from the host being down.
  if (answer?.status === 404 || answer?.status === 410)
    throw new OAuthError('invalid_client', 'There is no client metadata document at client_id.')
  if (!row) throw unreachableDocument(answer)
  await updateFreshUntil(parts.db, url, new Date(now.getTime() + retryMilliseconds))
  return admit(row)
}

/** Never `invalid_client`: the client is not at fault, and the person may simply retry. */
function unreachableDocument(answer: PublicAnswer | undefined): OAuthError {
  const outcome = answer ? `: its host answered ${answer.status}` : ''
  const description = `The client metadata document could not be fetched${outcome}. Try again.`
  return new OAuthError('temporarily_unavailable', description, { reason: 'agentUnreachable' })
}

/** Requires the normalised form of a document URL: one document has one URL. */
function requireDocumentUrl(text: string): URL {
  const fault = publicHttpsFault(text)
  if (fault !== undefined) throw new OAuthError('invalid_client', `client_id ${fault}.`)
  const url = new URL(text)
  if (url.port !== '' || url.pathname === '/' || url.href !== text) {
    const form = 'a normalised https URL with a path and without a port'
    throw new OAuthError('invalid_client', `client_id is not ${form}.`)
  }
  return url
}

/** Fetches from a client's host; undefined without a usable answer. */
export async function ask(
  parts: OAuthParts,
  url: string,
): Promise<PublicAnswer | 'busy' | undefined> {
  try {
    return await parts.publicFetch(url)
  } catch (error) {
    if (error instanceof PublicFetchBusy) return 'busy'
    if (!(error instanceof PublicFetchError)) throw error
    parts.log.info({ url, reason: error.message }, 'A document of a client could not be fetched.')
    return undefined
  }
}

/** A client with a public document cannot have a secret. */
function readDocument(
  { nativeCallbacks }: OAuthParts,
  url: string,
  document: unknown,
): ClientMetadata {
  const metadata = readClientMetadata(document, { published: true, nativeCallbacks })
  const { client_id, client_secret } = document as Record<string, unknown>
  if (client_id !== url)
    throw new OAuthError('invalid_client_metadata', 'client_id is not the URL of its document.')
  if (client_secret !== undefined)
    throw new OAuthError('invalid_client_metadata', 'client_secret is in a public document.')
  return metadata
}

/** About the maximum time of a fetch: by then there is capacity again. */
const busySeconds = 5
const minFreshSeconds = 60
const usualFreshSeconds = 300
const maxFreshSeconds = 24 * 3600
/** Backoff for a host that is down; until then the stored copy is used. */
export const retryMilliseconds = minute

/** The host's cache lifetime, clamped: not a fetch per call, but not cached indefinitely either. */
export function freshUntilOf(freshSeconds: number | undefined, now: Date): Date {
  const lifetime = freshSeconds ?? usualFreshSeconds
  const seconds = Math.min(Math.max(lifetime, minFreshSeconds), maxFreshSeconds)
  return new Date(now.getTime() + seconds * 1000)
}
