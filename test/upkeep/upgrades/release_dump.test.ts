import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Connection } from '../../../src/db/connect.ts'
import { createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { readRelease, restoreRelease } from '../../kit/release_dump.ts'

let database: TestDatabase
let connection: Connection
let db: Kysely<unknown>
beforeAll(async () => {
  database = await createEmptyDatabase()
  await restoreRelease(database.url)
  connection = connect(database.url, { max: 1 })
  db = connection.db as unknown as Kysely<unknown>
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const release = readRelease()

async function lines(query: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await query.execute(db)).rows
}

describe('the restored release', () => {
  test('has the migrations of the release and no others', async () => {
    const names = await lines(sql`select name from service_migrations order by name`)
    expect(names).toHaveLength(17)
    expect(names.at(-1)).toEqual({ name: '0018_administration_folding' })
  })

  test('has the rows of the dump in every table', async () => {
    const counts: Record<string, unknown> = {}
    for (const table of Object.keys(release))
      counts[table] = (await lines(sql`select count(*) as count from ${sql.table(table)}`))[0]
    const expected = Object.entries(release).map(([table, { length }]) => [
      table,
      { count: length },
    ])
    expect(counts).toEqual(Object.fromEntries(expected))
  })

  test('has every kind of row that a migration must carry over', async () => {
    const kinds = await lines(sql`
      select (select count(*) from workspaces) as workspaces,
        (select count(distinct status) from products) as product_states,
        (select count(distinct status) from members) as member_states,
        (select count(distinct status) from reservations) as reservation_states,
        (select count(distinct type) from wallet_entries) as entry_types,
        (select count(distinct paid_at is null) from checkouts) as checkout_states,
        (select count(distinct used_at is null) from media_uploads) as upload_states,
        (select count(distinct event_name) from usage_events) as event_names,
        (select count(distinct actor_type) from usage_events) as actor_types,
        (select count(distinct date_trunc('month', created_at)) >= 3 from usage_events) as months,
        (select count(distinct operation) from idempotency_records) as idempotent_operations`)
    expect(kinds).toEqual([
      {
        workspaces: 3,
        product_states: 3,
        member_states: 3,
        reservation_states: 3,
        entry_types: 4,
        checkout_states: 2,
        upload_states: 2,
        event_names: 15,
        actor_types: 7,
        months: true,
        idempotent_operations: 3,
      },
    ])
  })

  test('has catalogue counters equal to counts', async () => {
    const kept = sql`
      select workspace_id, sum(products_active)::int as active, sum(products_inactive)::int as inactive,
        sum(products_deleted)::int as deleted, sum(products_out_of_stock)::int as out_of_stock,
        sum(media_total)::int as media, sum(media_linked)::int as linked,
        sum(media_multi_linked)::int as multi_linked, sum(tags_total)::int as tags,
        sum(collections_total)::int as collections
      from catalogue_counters group by workspace_id order by workspace_id`
    const counted = sql`
      select w.id as workspace_id, p.*, m.*,
        (select count(*)::int from tags where workspace_id = w.id) as tags,
        (select count(*)::int from collections where workspace_id = w.id) as collections
      from workspaces w,
        lateral (select (count(*) filter (where status = 'ACTIVE'))::int as active,
          (count(*) filter (where status = 'INACTIVE'))::int as inactive,
          (count(*) filter (where status = 'DELETED'))::int as deleted,
          (count(*) filter (where status <> 'DELETED' and stock = 0))::int as out_of_stock
          from products where workspace_id = w.id) p,
        lateral (select count(*)::int as media,
          (count(*) filter (where usage_count >= 1))::int as linked,
          (count(*) filter (where usage_count >= 2))::int as multi_linked
          from media where workspace_id = w.id) m
      order by w.id`
    expect(await lines(kept)).toEqual(await lines(counted))
  })

  test('has usage counts of images equal to their uses', async () => {
    const wrong = sql`
      select id from media m where usage_count <>
        (select count(*) from product_images where media_id = m.id) +
        (select count(*) from collections where image_id = m.id) +
        (select count(*) from websites where logo_image_id = m.id)`
    expect(await lines(wrong)).toEqual([])
  })

  test('has counters of the whole service equal to counts', async () => {
    const kept = sql`
      select counted, sum(total)::int as total from row_counters
      group by counted having sum(total) <> 0 order by counted collate "C"`
    const counted = sql`
      select counted, count(*)::int as total from (
        select 'accounts' as counted from accounts
        union all select 'workspaces' from workspaces
        union all select 'integration_sources' from integration_sources
        union all select 'contact_requests' from contact_requests
        union all select 'audit_entries' from audit_entries
        union all select source_id from api_keys
        union all select source_id from grants
        union all select workspace_id from feedback) as t
      group by counted order by counted collate "C"`
    expect(await lines(kept)).toEqual(await lines(counted))
  })
})
