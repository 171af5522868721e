import { type Kysely, sql } from 'kysely'
import { type Stretch, stretchOf } from '../../core/paging.ts'
import { likePatternOf } from '../../core/text.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getCatalogueCounts } from '../catalogue/counters.ts'
import { selectMedia } from './media_fields.ts'

type Media = components['schemas']['Media']
type MediaSummary = components['schemas']['MediaSummary']
type Usage = 'UNUSED' | 'LINKED' | 'MULTI_LINKED'

interface MediaPage {
  page: number
  pageSize: number
  /** Empty for no search. */
  search: string
  usage: Usage | undefined
}

type MediaParameters = { workspaceId: string; limit: number; offset: number }

const newestFirst = prepared<MediaParameters>()('list_media', (db, parameter) =>
  selectMedia(db)
    .where('workspace_id', '=', parameter('workspaceId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(parameter('limit'))
    .offset(parameter('offset')),
)

const oldestFirst = prepared<MediaParameters>()('list_media_from_the_end', (db, parameter) =>
  selectMedia(db)
    .where('workspace_id', '=', parameter('workspaceId'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(parameter('limit'))
    .offset(parameter('offset')),
)

/** A page of media, newest first, and the total. */
export async function listMedia(
  db: Kysely<Database>,
  workspaceId: string,
  request: MediaPage,
): Promise<{ media: Media[]; total: number; summary: MediaSummary }> {
  const summary = await getMediaSummary(db, workspaceId)
  const { search, usage } = request
  const total = search
    ? await countMedia(db, workspaceId, request)
    : { ALL: summary.total, ...totals(summary) }[usage ?? 'ALL']
  const stretch = stretchOf(request.page, request.pageSize, total)
  if (!stretch) return { media: [], total, summary }
  const { reversed, ...place } = stretch
  const listPlain = reversed ? oldestFirst : newestFirst
  const rows =
    search || usage
      ? await listFiltered(db, workspaceId, request, stretch)
      : await listPlain(db, { workspaceId, ...place })
  return { media: reversed ? rows.reverse() : rows, total, summary }
}

function totals({ unused, linked, multiLinked }: MediaSummary): Record<Usage, number> {
  return { UNUSED: unused, LINKED: linked, MULTI_LINKED: multiLinked }
}

function listFiltered(
  db: Kysely<Database>,
  workspaceId: string,
  filters: MediaPage,
  { limit, offset, reversed }: Stretch,
): Promise<Media[]> {
  const direction = reversed ? 'asc' : 'desc'
  return selectMedia(db)
    .where('workspace_id', '=', workspaceId)
    .where(matching(filters))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

async function countMedia(
  db: Kysely<Database>,
  workspaceId: string,
  filters: MediaPage,
): Promise<number> {
  const { total } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', workspaceId)
    .where(matching(filters))
    .executeTakeFirstOrThrow()
  return total
}

function matching({ search, usage }: MediaPage) {
  const uses = {
    ALL: sql<boolean>`true`,
    UNUSED: sql<boolean>`usage_count = 0`,
    LINKED: sql<boolean>`usage_count >= 1`,
    MULTI_LINKED: sql<boolean>`usage_count >= 2`,
  }[usage ?? 'ALL']
  if (!search) return uses
  return sql<boolean>`search like ${likePatternOf(search)} and ${uses}`
}

async function getMediaSummary(db: Kysely<Database>, workspaceId: string): Promise<MediaSummary> {
  const counts = await getCatalogueCounts(db, workspaceId)
  const { mediaTotal: total, mediaLinked: linked, mediaMultiLinked: multiLinked } = counts
  return { total, unused: total - linked, linked, multiLinked }
}
