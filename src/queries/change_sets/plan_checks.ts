import { type Kysely, sql } from 'kysely'
import { storedWitness } from '../../db/backfills/turkic_keys.ts'
import type { Database } from '../../db/schema.ts'
import { type UniqueField, uniqueFields } from '../catalogue/product_columns.ts'
import { ofSet, type SetKey } from './change_set_rows.ts'

/*
 * Checks that need all rows of a set, or the whole catalogue. Raw SQL: each statement compares the
 * set with itself or with the catalogue.
 */

/** Rows about a product that an earlier row already changes. */
export async function findRepeatedRows(db: Kysely<Database>, key: SetKey): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from (
      select r.number, row_number() over (partition by r.product_id order by r.number) as place
      from change_set_rows r where ${ofSet(key)} and r.effect in ('UPDATE', 'DELETE', 'NONE')) r
    where place > 1`.execute(db)
  return rows.map(({ number }) => number)
}

interface TakenValue {
  number: number
  field: UniqueField
}

/** The keys that rows take, each with its kind: `name`, or `name_turkic` for the second one. */
const wantedIn = (key: SetKey) => sql`
  select r.number, r.product_id, split_part(wanted.text, ' ', 1) as kind,
    split_part(wanted.text, ' ', 2)::bytea as key
  from change_set_rows r, unnest(r.unique_keys) as wanted (text)
  where ${ofSet(key)} and r.effect in ('CREATE', 'UPDATE')`

/** Rows that give a product a value that another product has and keeps. */
export async function findTakenValues(db: Kysely<Database>, key: SetKey): Promise<TakenValue[]> {
  const { workspaceId } = key
  const kinds = uniqueFields.flatMap((field) => [
    { field, kind: field, column: sql.ref(`p.${field}_key`), condition: sql`` },
    {
      field,
      kind: `${field}_turkic`,
      column: sql.ref(`p.${field}_turkic_key`),
      condition: sql`and p.turkic_of = ${storedWitness}`,
    },
  ])
  const found = kinds.map(({ field, kind, column, condition }) => {
    const next = sql`o.desired -> 'product' ->> ${sql.lit(`${kind}_key`)}`
    const changes = sql`(o.desired -> 'product' ->> ${sql.lit(`${field}_key`)}) is not null`
    return sql`
      select w.number, ${sql.lit(field)} as field from wanted w
      join products p on p.workspace_id = ${workspaceId} and ${column} = w.key ${condition}
        and p.status <> 'DELETED' and p.id is distinct from w.product_id
      where w.kind = ${sql.lit(kind)} and not exists (
        select from change_set_rows o where ${ofSet(key, 'o')} and o.product_id = p.id
          and (o.effect = 'DELETE' or (o.effect = 'UPDATE'
            and (o.desired -> 'product' ->> 'status' = 'DELETED'
              or (${changes} and (${next})::bytea is distinct from w.key)))))`
  })
  const { rows } = await sql<TakenValue>`
    with wanted as materialized (${wantedIn(key)})
    select distinct number, field from (${sql.join(found, sql` union all `)}) found
    order by number`.execute(db)
  return rows
}

/** Rows that give a product a value that an earlier row gives to another product. */
export async function findValuesTwice(db: Kysely<Database>, key: SetKey): Promise<TakenValue[]> {
  const { rows } = await sql<TakenValue>`
    select distinct number, replace(kind, '_turkic', '') as field from (
      select number, kind, row_number() over (partition by kind, key order by number) as place
      from (${wantedIn(key)}) wanted) ranked
    where place > 1 order by number`.execute(db)
  return rows
}

/** Rows that can take a value only because another row of the set frees it. */
export async function listFreed(
  db: Kysely<Database>,
  key: SetKey,
): Promise<(TakenValue & { freedBy: number })[]> {
  const kinds = uniqueFields.flatMap((field) => [
    { field, kind: field, column: sql.ref(`p.${field}_key`) },
    { field, kind: `${field}_turkic`, column: sql.ref(`p.${field}_turkic_key`) },
  ])
  const found = kinds.map(
    ({ field, kind, column }) => sql`
      select w.number, ${sql.lit(field)} as field, o.number as "freedBy" from wanted w
      join products p on p.workspace_id = ${key.workspaceId} and ${column} = w.key
        and p.status <> 'DELETED' and p.id is distinct from w.product_id
      join change_set_rows o on ${ofSet(key, 'o')} and o.product_id = p.id
        and o.effect in ('UPDATE', 'DELETE')
      where w.kind = ${sql.lit(kind)}`,
  )
  const { rows } = await sql<TakenValue & { freedBy: number }>`
    with wanted as materialized (${wantedIn(key)})
    ${sql.join(found, sql` union `)}`.execute(db)
  return rows
}

/** Rows that put a product into a collection that would become too full. */
export async function findOverfull(
  db: Kysely<Database>,
  key: SetKey,
  most: number,
): Promise<number[]> {
  const moved = (part: string) => sql`
    select r.number, moved.id from change_set_rows r,
      json_array_elements_text(r.desired -> ${sql.lit(part)}) as moved (id)
    where ${ofSet(key)} and r.effect in ('CREATE', 'UPDATE')`
  const { rows } = await sql<{ number: number }>`
    with added as materialized (${moved('addedTo')}), removed as materialized (${moved('removedFrom')}),
    overfull as (
      select a.id from (select id, count(*) as count from added group by id) a
      where a.count + (select count(*) from collection_products l
          where l.workspace_id = ${key.workspaceId} and l.collection_id = a.id)
        - (select count(*) from removed where removed.id = a.id) > ${most})
    select distinct number from added where id in (select id from overfull)
    order by number`.execute(db)
  return rows.map(({ number }) => number)
}

export interface FormerTaken {
  id: string
  name: string
  /** The former values that other products have now. */
  taken: string[]
}

/** Deleted or changed products whose former values other products have by now. */
export async function findFormerTaken(db: Kysely<Database>, key: SetKey): Promise<FormerTaken[]> {
  const { workspaceId } = key
  // Looked up for each product (offset 0): joined, the whole set may be read for each row.
  const inSet = sql`select from change_set_rows o where ${ofSet(key, 'o')} and o.product_id = p.id
    and o.effect in ('CREATE', 'UPDATE', 'DELETE') offset 0`
  const taken = uniqueFields.map((field) => {
    const collides = [`${field}_key`, `${field}_turkic_key`].map((column) => {
      const former = sql`(r.before -> 'product' ->> ${sql.lit(column)})::bytea`
      const counts = column.includes('turkic') ? sql`and p.turkic_of = ${storedWitness}` : sql``
      return sql`exists (select from products p where p.workspace_id = ${workspaceId}
        and ${sql.ref(`p.${column}`)} = ${former} ${counts} and p.status <> 'DELETED'
        and not exists (${inSet}))`
    })
    return sql`case when ${sql.join(collides, sql` or `)}
      then r.before -> 'product' ->> ${sql.lit(field)} end`
  })
  const { rows } = await sql<FormerTaken>`
    select r.product_id as id, coalesce(r.name, '') as name, found.taken from change_set_rows r
    cross join lateral (select array_remove(array[${sql.join(taken)}], null) as taken offset 0) found
    where ${ofSet(key)} and r.effect in ('UPDATE', 'DELETE')
      and r.before -> 'product' ->> 'status' <> 'DELETED'
      and (r.effect = 'DELETE' or r.desired -> 'product' -> 'name_key' is not null
        or r.desired -> 'product' ->> 'status' = 'DELETED')
      and cardinality(found.taken) > 0
    order by r.number limit 20`.execute(db)
  return rows
}
