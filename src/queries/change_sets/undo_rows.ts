import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { columnNames } from '../catalogue/product_columns.ts'
import { linkTables, replaceLinks } from './apply_rows.ts'
import { ofSet, type SetKey, type SetSlice } from './change_set_rows.ts'
import { type ChosenSlugs, slugRows } from './slugs.ts'

/*
 * Puts back what a set has written, from the snapshots in its rows, a statement for all of a slice. Nothing
 * that other people made since is touched: those products were refused before.
 *
 * Raw SQL: the rows are filled from the JSON of the snapshots.
 */

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))

/** Restores the columns of changed products, also the time of their last change. */
export async function revertProducts(
  trx: Transaction<Database>,
  slice: SetSlice,
  now: Date,
): Promise<void> {
  await sql`
    update products p set undone_at = ${now}, (${names(columnNames)}) = (
      select ${names(columnNames)} from json_populate_record(p, r.before -> 'product'))
    from change_set_rows r
    where ${ofSet(slice)} and r.effect = 'UPDATE'
      and p.workspace_id = ${slice.workspaceId} and p.id = r.product_id`.execute(trx)
}

/** Inserts deleted products again, with their own ids and times, and the slugs that were chosen. */
export async function restoreProducts(
  trx: Transaction<Database>,
  slice: SetSlice,
  slugs: ChosenSlugs,
  now: Date,
): Promise<void> {
  const { workspaceId } = slice
  const deleted = await trx
    .selectFrom('change_set_rows as r')
    .select(sql.ref<string>('r.product_id').as('id'))
    .where(ofSet(slice))
    .where('r.effect', '=', 'DELETE')
    .execute()
  if (deleted.length === 0) return
  const ids = deleted.map(({ id }) => id)
  const columns = ['created_at', 'questions', ...columnNames]
  await sql`
    insert into products (id, workspace_id, slug, undone_at, ${names(columns)})
    select r.product_id, ${workspaceId}, own.slug, ${now},
      ${sql.join(columns.map((name) => sql.ref(`n.${name}`)))}
    from change_set_rows r
    cross join lateral json_populate_record(null::products, r.before -> 'product') n
    join ${slugRows(slugs, ids)} as own (slug, id) on own.id = r.product_id
    where ${ofSet(slice)} and r.effect = 'DELETE' order by r.number`.execute(trx)
  await trx
    .deleteFrom('kept_products')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', sql<string>`any(${ids})`)
    .execute()
  await sql`
    insert into question_replies
    select n.* from change_set_rows r,
      json_populate_recordset(null::question_replies, r.before -> 'replies') n
    where ${ofSet(slice)} and r.effect = 'DELETE' on conflict do nothing`.execute(trx)
}

/** Restores images and tags, without those deleted since, which `findLostLinks` names. */
export async function revertLinks(trx: Transaction<Database>, slice: SetSlice): Promise<void> {
  for (const part of ['images', 'tags'] as const) {
    const name = sql.lit(part)
    const list = sql`case when r.effect = 'DELETE' or r.desired -> ${name} is not null
      then r.before -> ${name} end`
    const where = sql`${ofSet(slice)} and r.effect in ('UPDATE', 'DELETE')`
    // Each is looked up (offset 0): joined, all of the workspace's may be read for each row.
    const isThere = sql`exists (select from ${sql.table(linkTables[part].target)} t
      where t.workspace_id = ${slice.workspaceId} and t.id = link.id offset 0)`
    await replaceLinks(trx, slice, part, { list, where, isThere })
  }
}

/**
 * Products that were deleted or got other pictures or tags, and the former ones that are gone. Looked for once
 * links are back.
 */
export async function findLostLinks(
  trx: Transaction<Database>,
  key: SetKey,
): Promise<{ id: string; name: string; link: string }[]> {
  const lost = (['images', 'tags'] as const).map((part) => {
    const { table, column } = linkTables[part]
    return sql`
      select r.number, r.product_id as id, coalesce(r.name, '') as name, link.id as link
      from change_set_rows r, json_array_elements_text(r.before -> ${sql.lit(part)}) as link (id)
      where ${ofSet(key)}
        and (r.effect = 'DELETE' or r.effect = 'UPDATE' and r.desired -> ${sql.lit(part)} is not null)
        and not exists (
        select from ${sql.table(table)} l where l.workspace_id = ${key.workspaceId}
          and l.product_id = r.product_id and ${sql.ref(`l.${column}`)} = link.id offset 0)`
  })
  const { rows } = await sql<{ id: string; name: string; link: string }>`
    select id, name, link from (${sql.join(lost, sql` union all `)}) lost
    order by number limit 20`.execute(trx)
  return rows
}

/**
 * Removes products from collections again, and puts them back at their place in others; returns the changed
 * collections.
 */
export async function revertCollections(
  trx: Transaction<Database>,
  slice: SetSlice,
): Promise<string[]> {
  const { workspaceId } = slice
  const removed = await sql<{ id: string }>`
    delete from collection_products l
    using change_set_rows r, json_array_elements_text(r.desired -> 'addedTo') as moved (id)
    where ${ofSet(slice)} and r.effect = 'UPDATE' and l.workspace_id = ${workspaceId}
      and l.collection_id = moved.id and l.product_id = r.product_id
    returning l.collection_id as id`.execute(trx)
  const added = await sql<{ id: string }>`
    insert into collection_products (workspace_id, collection_id, product_id, position)
    select ${workspaceId}, c.id, r.product_id, (former.pair ->> 1)::integer
    from change_set_rows r, json_array_elements(r.before -> 'collections') as former (pair),
      collections c
    where ${ofSet(slice)} and r.effect in ('UPDATE', 'DELETE')
      and (r.effect = 'DELETE' or exists (
        select from json_array_elements_text(r.desired -> 'removedFrom') as gone (id)
        where gone.id = former.pair ->> 0))
      and c.workspace_id = ${workspaceId} and c.id = former.pair ->> 0
    on conflict do nothing returning collection_id as id`.execute(trx)
  return [...removed.rows, ...added.rows].map(({ id }) => id)
}
