import { hash } from 'node:crypto'
import { listsTag } from '../../../core/etags.ts'
import { operations } from '../../../generated/operations.ts'
import type { OperationId } from '../../../operation.ts'
import { readCatalogueVersion } from '../../../queries/catalogue/feed.ts'
import type { Call, Service, TaggedAnswer } from '../call.ts'

const maxKnown = 5000

/** Lists that show nothing but what moves the version, as all published reads do. */
const lists = new Set<OperationId>([
  'list_products',
  'list_collections',
  'list_collection_products',
  'list_tags',
])

/** Instead of an answer that the client has. */
export class Unchanged {
  readonly etag: string

  constructor(etag: string) {
    this.etag = etag
  }
}

/**
 * Finds out in one small read that a client has the current answer, if it has been seen to have that
 * answer at the present version. Else the tag is noted once the answer is read: what is read after a
 * version is of that version, unless a later one exists by now, and versions never come back.
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

/** A search also depends on the shop's synonyms; what names its version is kept by caches anyway. */
function isOfVersion({ operationId, query }: Call): boolean {
  const { tag, revalidates } = operations[operationId]
  if (!revalidates || (tag !== 'storefront' && !lists.has(operationId))) return false
  return !query.search && query.version === undefined
}

/** The order of a map is that of insertion: the one noted longest ago is forgotten first. */
function keep(known: Service['knownTags'], key: string, tagged: TaggedAnswer): void {
  known.delete(key)
  known.set(key, tagged)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
}
