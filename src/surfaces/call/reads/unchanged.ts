import { hash } from 'node:crypto'
import { listsTag } from '../../../core/etags.ts'
import { operations } from '../../../generated/operations.ts'
import type { OperationId } from '../../../operation.ts'
import { readCatalogueVersion } from '../../../queries/catalogue/feed.ts'
import type { Call, Service, TaggedAnswer } from '../call.ts'

const maxKnown = 5000

/** Lists that, like all published reads, show only data that moves the version. */
const lists = new Set<OperationId>([
  'list_products',
  'list_collections',
  'list_collection_products',
  'list_tags',
])

/** Replaces an answer that the client already has. */
export class Unchanged {
  readonly etag: string

  constructor(etag: string) {
    this.etag = etag
  }
}

/**
 * Finds out with one small read that a client has the current answer, if it was seen to have that answer at
 * the present version. Otherwise the tag is noted when the answer is read: what is read after a version
 * belongs to that version or to a later one, and versions never return.
 */
export async function revalidate(
  call: Call,
  input: { path: unknown; query: unknown },
): Promise<Unchanged | undefined> {
  const sent = call.incoming.headers['if-none-match']
  if (typeof sent !== 'string' || !isOfVersion(call)) return undefined
  const { db, workspaceId, operationId, access, service } = call
  const who = [access?.connectionId, access?.visit?.visitor?.type]
  const asked = JSON.stringify([operationId, input.path, input.query, who])
  const key = hash('sha256', asked, 'base64url')
  const known = service.knownTags.get(key)
  const version = await readCatalogueVersion(db, workspaceId)
  if (known?.version === version && listsTag(sent, known.etag)) return new Unchanged(known.etag)
  call.noteTag = (etag) => keep(service.knownTags, key, { etag, version })
  return undefined
}

/** A search also depends on the shop's synonyms; a read that names its version is kept by caches anyway. */
function isOfVersion({ operationId, query }: Call): boolean {
  const { tag, revalidates } = operations[operationId]
  if (!revalidates || (tag !== 'storefront' && !lists.has(operationId))) return false
  return !query.search && query.version === undefined
}

/** A map keeps the order of insertion, so the entry noted longest ago is dropped first. */
function keep(known: Service['knownTags'], key: string, tagged: TaggedAnswer): void {
  known.delete(key)
  known.set(key, tagged)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
}
