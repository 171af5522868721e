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

/** What the authorization server's rules need of the service around them. */
export interface OAuthParts {
  db: Kysely<Database>
  /** Gets what a client has published, on behalf of whoever asks. */
  publicFetch: (url: string) => Promise<PublicAnswer>
  /** Counts whoever makes us fetch for a client that has never come before, or refuses them. */
  admitStranger: () => Promise<void>
  /** The base URL without a slash at its end, the same to the byte wherever it is written. */
  issuer: string
  clock: () => Date
  log: Log
}

/** A client whose source is not blocked, unless it only gives something back. */
export interface Client {
  id: string
  sourceId: string
  metadata: ClientMetadata
}

/** What a registration answers: RFC 7591, section 3.2.1, without a secret. */
export interface Registration extends ClientMetadata {
  client_id: string
  client_id_issued_at: number
}

/**
 * The client of this id: a registered one, or the one that the document at this https URL describes.
 * Refuses an unknown client with `invalid_client` and one of a blocked source with `access_denied`.
 */
export async function findClient(parts: OAuthParts, clientId: string): Promise<Client> {
  if (/^https:/i.test(clientId)) return findDocumentClient(parts, clientId)
  const row = isRegisteredId(clientId) ? await findClientRow(parts.db, clientId) : undefined
  if (!row) throw new OAuthError('invalid_client', 'There is no such client. Register again.')
  return admitted(row)
}

/**
 * The same for a client that has come before, as one must have that holds a code or a token: nobody
 * can make us fetch and store documents where nothing has been asked of a person.
 */
export async function findKnownClient(parts: OAuthParts, clientId: string): Promise<Client> {
  if (/^https:/i.test(clientId) && !(await findStoredRow(parts, clientId)))
    throw new OAuthError('invalid_client', 'There is no such client. Authorize first.')
  return findClient(parts, clientId)
}

/**
 * The same for a client that gives a connection back, which a block must not keep it from: the person
 * would find the connection alive when the block is lifted. A blocked one is taken as it was stored.
 */
export async function findRevokingClient(parts: OAuthParts, clientId: string): Promise<Client> {
  const row = await findStoredRow(parts, clientId)
  return row?.sourceStatus === 'BLOCKED' ? clientOf(row) : findKnownClient(parts, clientId)
}

/** Registers a client that anybody may bring, under an id of its own. */
export async function registerClient(parts: OAuthParts, body: unknown): Promise<Registration> {
  const metadata = readClientMetadata(body)
  const now = parts.clock()
  const id = newId('client')
  const identity = registeredIdentity(metadata)
  await storeClient(parts, { id, identity, metadata, freshUntil: null, now })
  return { client_id: id, client_id_issued_at: Math.floor(now.getTime() / 1000), ...metadata }
}

/** What is stored of a client, whatever was sent as its id: no row has a NUL in it. */
async function findStoredRow({ db }: OAuthParts, id: string): Promise<ClientRow | undefined> {
  return id.includes('\0') ? undefined : findClientRow(db, id)
}

function isRegisteredId(id: string): boolean {
  return /^client_[0-9a-z]{26}$/.test(id)
}

function admitted(row: ClientRow): Client {
  if (row.sourceStatus === 'BLOCKED') throw sourceBlocked()
  return clientOf(row)
}

function clientOf({ id, sourceId, metadata }: ClientRow): Client {
  return { id, sourceId, metadata: metadata as ClientMetadata }
}

/**
 * A registered client says itself who it is: by its software id, else by its name and the hosts
 * where it is called back. Each kind of identity has a beginning of its own, so that none can be
 * taken for another.
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
  // Before anything is fetched: a blocked host is not even asked.
  if (source?.sourceStatus === 'BLOCKED') throw sourceBlocked()
  const now = parts.clock()
  if (row && now < new Date(row.freshUntil ?? 0)) return admitted(row)

  if (!row) await parts.admitStranger()
  const answer = await ask(parts, url)
  if (answer === 'busy') {
    if (row) return admitted(row)
    const reason = 'Too many client metadata documents are being fetched. Try again shortly.'
    throw new OAuthError('temporarily_unavailable', reason, busySeconds)
  }
  if (answer?.status === 200) {
    const metadata = readDocument(url, answer.body)
    const freshUntil = freshUntilOf(answer.freshSeconds, now)
    return storeClient(parts, { id: url, identity, metadata, freshUntil, now })
  }
  // The host took the document away, which is not the same as being down.
  if (!row || answer?.status === 404 || answer?.status === 410)
    throw new OAuthError('invalid_client', 'The client metadata document could not be fetched.')
  await updateFreshUntil(parts.db, url, new Date(now.getTime() + retryMilliseconds))
  return admitted(row)
}

/** The form that the URL of a metadata document has; one document has one URL. */
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

/** The answer of a client's host; undefined where it has none that could be used. */
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

/** A client that describes itself in public has no secret to authenticate with. */
function readDocument(url: string, document: unknown): ClientMetadata {
  const metadata = readClientMetadata(document)
  const { client_id, client_secret } = document as Record<string, unknown>
  if (client_id !== url)
    throw new OAuthError('invalid_client_metadata', 'client_id is not the URL of its document.')
  if (client_secret !== undefined)
    throw new OAuthError('invalid_client_metadata', 'client_secret is in a public document.')
  return metadata
}

/** About as long as a fetch takes at most, so that by then there is room again. */
const busySeconds = 5
const minFreshSeconds = 60
const usualFreshSeconds = 300
const maxFreshSeconds = 24 * 3600
/** A host that is down is asked again after this time; until then the stored copy serves. */
export const retryMilliseconds = minute

/** As the host says, but neither so short that every call asks it nor so long that it is forgotten. */
export function freshUntilOf(freshSeconds: number | undefined, now: Date): Date {
  const wanted = freshSeconds ?? usualFreshSeconds
  const seconds = Math.min(Math.max(wanted, minFreshSeconds), maxFreshSeconds)
  return new Date(now.getTime() + seconds * 1000)
}
