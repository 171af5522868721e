import type { Transaction } from 'kysely'
import { newId } from '../../../core/ids.ts'
import { identityKeyOf, nameKeysOf, shortened } from '../../../core/text.ts'
import type { FileSource, MadeKind } from '../../../db/schema/change_sets.ts'
import type { Database } from '../../../db/schema.ts'
import type { Scope } from '../../../generated/operations.ts'
import { limits } from '../../../generated/limits.ts'
import type { SetKey } from '../../../queries/change_sets/change_set_rows.ts'
import {
  findPictures,
  insertMakes,
  listFetched,
  listMakes,
  listNamed,
  type Made,
  type Named,
} from '../../../queries/change_sets/named.ts'
import type { Reason } from '../../../texts/refusals.ts'
import { RowFault } from '../rows.ts'
import type { FileRow } from './cells.ts'
import { hashOf, isUrl } from './pictures.ts'

/** The ids of what a row names. */
interface References {
  tagIds?: string[]
  imageIds?: string[]
  collectionIds?: string[]
}

/** Finds what rows name; throws a RowFault where it is not there. */
export interface Finder {
  of(row: FileRow): References
  /** Notes what is to be made. */
  save(): Promise<void>
}

const kinds = {
  tags: { kind: 'TAG', prefix: 'tag', scope: 'tags:write', schema: 'TagWrite' },
  collections: {
    kind: 'COLLECTION',
    prefix: 'coll',
    scope: 'collections:write',
    schema: 'CollectionUpdate',
  },
} as const satisfies Record<string, { kind: MadeKind; scope: Scope } & Record<string, string>>
type NamedField = keyof typeof kinds

const fault = (field: string, reason: Reason) =>
  new RowFault('invalid_input', 'invalidRequest', { [field]: reason })

export async function finderFor(
  trx: Transaction<Database>,
  key: SetKey,
  { make, uploadId }: FileSource,
  rows: readonly FileRow[],
  holds: (scope: Scope) => boolean,
): Promise<Finder> {
  const { workspaceId } = key
  const isNamed = (field: NamedField) => rows.some((row) => (row[field]?.length ?? 0) > 0)
  const found = {
    tags: byName(isNamed('tags') ? await listNamed(trx, workspaceId, 'tags') : []),
    collections: byName(
      isNamed('collections') ? await listNamed(trx, workspaceId, 'collections') : [],
    ),
  }
  const makes = make.tags || make.collections ? await listMakes(trx, key) : []
  const made = new Map(makes.map((each) => [madeKey(each.kind, each.key), each.id]))
  const added: Made[] = []

  function idOf(field: NamedField, name: string): string {
    const [match, other] = found[field](name)
    if (other) throw fault(field, ['nameOfSeveral', { name: shortened(name) }])
    if (match) return match
    const { kind, prefix, scope, schema } = kinds[field]
    if (!make[field]) throw fault(field, ['nothingNamed', { name: shortened(name) }])
    if (!holds(scope)) throw new RowFault('insufficient_scope', ['scopeMissing', { scope }])
    const limit = limits[schema].name.maxLength
    if ([...name].length > limit) throw fault(field, ['maxLength', { count: limit }])
    const nameKey = identityKeyOf(name)
    const known = made.get(madeKey(kind, nameKey))
    if (known) return known
    const id = newId(prefix)
    added.push({ kind, key: nameKey, id, name })
    made.set(madeKey(kind, nameKey), id)
    return id
  }

  const images = rows.flatMap((row) => row.images ?? [])
  const pictures = pictureFinder(
    await findPictures(
      trx,
      workspaceId,
      images.filter((name) => !isUrl(name)),
    ),
  )
  const urls = images.filter(isUrl)
  const fetched = await listFetched(trx, { workspaceId, uploadId }, urls.map(hashOf))

  function imageOf(name: string): string {
    if (!isUrl(name)) return pictures(name)
    if (!holds('media:write'))
      throw new RowFault('insufficient_scope', ['scopeMissing', { scope: 'media:write' }])
    const { mediaId, refusal } = fetched.get(hashOf(name).toString('hex')) ?? {}
    if (!mediaId) throw fault('images', refusal ?? 'hostUnreachable')
    return mediaId
  }

  const each = (names: string[] | undefined, find: (name: string) => string) =>
    names && [...new Set(names.map(find))]
  return {
    of: ({ tags, collections, images: pictured }) => {
      const tagIds = each(tags, (name) => idOf('tags', name))
      const collectionIds = each(collections, (name) => idOf('collections', name))
      const imageIds = each(pictured, imageOf)
      return {
        ...(tagIds && { tagIds }),
        ...(imageIds && { imageIds }),
        ...(collectionIds && { collectionIds }),
      }
    },
    save: () => insertMakes(trx, key, added),
  }
}

const madeKey = (kind: MadeKind, key: Buffer) => `${kind} ${key.toString('hex')}`

/** Finds the ids of those with an id or a name: usually one. */
function byName(all: readonly Named[]) {
  const ids = new Set(all.map(({ id }) => id))
  const byKey = new Map<string, Named[]>()
  for (const each of all)
    for (const key of nameKeysOf(each.name)) byKey.set(key, [...(byKey.get(key) ?? []), each])
  return (name: string): string[] => {
    if (ids.has(name)) return [name]
    const same = new Set(nameKeysOf(name).flatMap((key) => byKey.get(key) ?? []))
    const exact = [...same].filter((each) => each.name === name)
    return (exact.length > 0 ? exact : [...same]).map(({ id }) => id)
  }
}

function pictureFinder(found: readonly Named[]) {
  const ids = new Set(found.map(({ id }) => id))
  return (name: string): string => {
    if (ids.has(name)) return name
    const [first, second] = found.filter((picture) => picture.name === name)
    if (second) throw fault('images', ['nameOfSeveral', { name: shortened(name) }])
    if (!first) throw fault('images', ['nothingNamed', { name: shortened(name) }])
    return first.id
  }
}
