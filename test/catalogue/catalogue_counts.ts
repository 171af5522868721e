import { sql } from 'kysely'
import { expect } from 'vitest'
import { type CatalogueCounts, getCatalogueCounts } from '../../src/queries/catalogue/counters.ts'
import type { Shop } from '../kit/catalogue.ts'

/** Counts of a workspace's catalogue, taken from its rows. */
async function realCounts({ service: { db }, workspaceId }: Shop) {
  const { rows } = await sql<Record<string, number>>`
    with p as (select * from products where workspace_id = ${workspaceId}),
      m as (select * from media where workspace_id = ${workspaceId})
    select (select count(*) from p where status = 'ACTIVE') as active,
      (select count(*) from p where status = 'INACTIVE') as inactive,
      (select count(*) from p where status = 'DELETED') as deleted,
      (select count(*) from p where status <> 'DELETED' and stock = 0) as "outOfStock",
      (select count(*) from m) as "mediaTotal",
      (select count(*) from m where usage_count >= 1) as "mediaLinked",
      (select count(*) from m where usage_count >= 2) as "mediaMultiLinked",
      (select count(*) from tags where workspace_id = ${workspaceId}) as tags,
      (select count(*) from collections where workspace_id = ${workspaceId}) as collections
    `.execute(db)
  return rows[0]
}

/** Images whose use count differs from the actual number of uses. */
async function wrongCounts({ service: { db }, workspaceId }: Shop) {
  const { logoImageId } = await db
    .selectFrom('websites')
    .select('logo_image_id as logoImageId')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql`
    select id, usage_count from media where workspace_id = ${workspaceId} and usage_count <>
      (select count(*) from product_images
        where workspace_id = ${workspaceId} and media_id = media.id) +
      (select count(*) from collections
        where workspace_id = ${workspaceId} and image_id = media.id) +
      (id is not distinct from ${logoImageId})::integer`.execute(db)
  return rows
}

/** Checks every counter of a shop against the rows it counts; returns the counters. */
export async function expectRightCounts(shop: Shop): Promise<CatalogueCounts> {
  const counts = await getCatalogueCounts(shop.service.db, shop.workspaceId)
  const { changes } = counts
  expect(counts).toEqual({ ...(await realCounts(shop)), changes })
  expect(await wrongCounts(shop)).toEqual([])
  return counts
}
