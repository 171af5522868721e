import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { countPages } from '../catalogue/feed.ts'
import { rebuildTagIdsOf } from '../../db/backfills/tag_ids.ts'

/* Raw SQL: one statement, built from the table below, compares counters with their rows. */

/** For each counter of a workspace, the count it should have, from one table each. */
const counts: Record<string, Record<string, RawBuilder<unknown>>> = {
  products: {
    products_active: sql`count(*) filter (where status = 'ACTIVE')`,
    products_inactive: sql`count(*) filter (where status = 'INACTIVE')`,
    products_deleted: sql`count(*) filter (where status = 'DELETED')`,
    products_out_of_stock: sql`count(*) filter (where status <> 'DELETED' and stock = 0)`,
  },
  media: {
    media_total: sql`count(*)`,
    media_linked: sql`count(*) filter (where usage_count >= 1)`,
    media_multi_linked: sql`count(*) filter (where usage_count >= 2)`,
  },
  tags: { tags_total: sql`count(*)` },
  collections: { collections_total: sql`count(*)` },
}
const counters = Object.values(counts).flatMap(Object.keys)

/** Corrects the counters of a workspace's catalogue; returns a line for each wrong one. */
export async function recountCatalogue(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<string[]> {
  const kept = sql.join(counters.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint`))
  const tables = Object.entries(counts).map(
    ([table, columns]) => sql`(select array[${sql.join(Object.values(columns))}]
      from ${sql.table(table)} where workspace_id = ${workspaceId})`,
  )
  const { rows } = await sql<{ kept: number[]; counted: number[] }>`
    select (select array_to_json(array[${kept}]) from catalogue_counters
        where workspace_id = ${workspaceId}) as kept,
      array_to_json(${sql.join(tables, sql` || `)}) as counted`.execute(db)
  const { kept: before, counted } = rows[0]!
  const wrong = counters.flatMap((name, index) => {
    const difference = counted[index]! - before[index]!
    return difference === 0
      ? []
      : { name, difference, line: `${name} was ${before[index]}, is ${counted[index]}` }
  })
  if (wrong.length === 0) return []
  const names = sql.join(wrong.map(({ name }) => sql.ref(name)))
  const sums = wrong.map(
    ({ name }) => sql`${sql.ref(name)} = c.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  // The new version also invalidates cached totals.
  await sql`
    insert into catalogue_counters as c (workspace_id, slot, changes, ${names})
    values (${workspaceId}, 0, 1, ${sql.join(wrong.map(({ difference }) => difference))})
    on conflict (workspace_id, slot) do update
      set changes = c.changes + 1, ${sql.join(sums)}`.execute(db)
  await countPages(db, { workspaceId })
  return wrong.map(({ line }) => line)
}

/** Corrects how often images are used. Comes before the counters, which count images by their uses. */
export async function recountUses(db: Kysely<Database>, workspaceId: string): Promise<string[]> {
  const uses = (table: string, column: string) => sql`
    (select ${sql.ref(column)} as id, count(*) as uses from ${sql.table(table)}
      where workspace_id = ${workspaceId} and ${sql.ref(column)} is not null group by 1)`
  const { rows } = await sql<{ id: string; kept: number; counted: number }>`
    with logo as materialized (
      select logo_image_id as id from websites where workspace_id = ${workspaceId})
    select * from (
      select m.id, m.usage_count as kept, (coalesce(p.uses, 0) + coalesce(c.uses, 0)
        + (select count(*) from logo where logo.id = m.id))::integer as counted
      from media m
      left join ${uses('product_images', 'media_id')} p on p.id = m.id
      left join ${uses('collections', 'image_id')} c on c.id = m.id
      where m.workspace_id = ${workspaceId}) images
    where kept <> counted order by id`.execute(db)
  for (const { id, kept, counted } of rows)
    await sql`update media set usage_count = usage_count + ${counted - kept}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows.map(({ id, kept, counted }) => `uses of ${id} were ${kept}, are ${counted}`)
}

/** Corrects the copies of tags in the rows of products. A deleted tag in one is no error. */
export async function mendTagIds(
  db: Kysely<Database>,
  workspaceId: string,
  { isTrial }: { isTrial: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from products p where p.workspace_id = ${workspaceId}
      and array(select t.id from unnest(p.tag_ids) with ordinality as copy (id, place)
          join tags t on t.workspace_id = ${workspaceId} and t.id = copy.id order by copy.place)
        is distinct from array(select l.tag_id from product_tags l
          where l.workspace_id = ${workspaceId} and l.product_id = p.id order by l.position)
    order by p.id`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (isTrial) return ids.map((id) => `tags of ${id} are not copied`)
  if (ids.length > 0) await rebuildTagIdsOf(db as unknown as Kysely<unknown>, workspaceId, ids)
  return ids.map((id) => `tags of ${id} are copied again`)
}

const productsPerBatch = 1000

/** Claims the slugs of products that are missing in the directory of the whole service. */
export async function mendSlugs(
  db: Kysely<Database>,
  workspaceId: string,
  { isTrial }: { isTrial: boolean },
): Promise<string[]> {
  const mend = (product: { id: string; slug: string }) =>
    isTrial
      ? [`slug ${product.slug} of ${product.id} is not claimed`]
      : claimSlug(db, workspaceId, product)
  const lines: string[] = []
  for (let after = ''; ;) {
    const products = await db
      .selectFrom('products')
      .select(['id', 'slug'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(productsPerBatch)
      .execute()
    if (products.length === 0) return lines
    const slugs = products.map(({ slug }) => slug)
    const claims = await db
      .selectFrom('product_slugs')
      .select(['slug', 'product_id'])
      .where('slug', 'in', slugs)
      .execute()
    const holders = new Map(claims.map(({ slug, product_id }) => [slug, product_id]))
    for (const { id, slug } of products)
      if (holders.get(slug) !== id) lines.push(...(await mend({ id, slug })))
    if (products.length < productsPerBatch) return lines
    after = products.at(-1)!.id
  }
}

/** Locks the product, so that it is not deleted between the check and the claim. */
function claimSlug(
  db: Kysely<Database>,
  workspaceId: string,
  { id, slug }: { id: string; slug: string },
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const claim = { workspace_id: workspaceId, product_id: id }
    const productOf = (of: typeof claim) =>
      trx
        .selectFrom('products')
        .select('id')
        .where('workspace_id', '=', of.workspace_id)
        .where('id', '=', of.product_id)
        .where('slug', '=', slug)
    if (!(await productOf(claim).forKeyShare().executeTakeFirst())) return []
    const claimed = await trx
      .insertInto('product_slugs')
      .values({ slug, ...claim })
      .onConflict((conflict) => conflict.doNothing())
      .returning('slug')
      .executeTakeFirst()
    if (claimed) return [`slug ${slug} of ${id} is claimed`]
    const holder = await trx
      .selectFrom('product_slugs')
      .select(['product_id', 'workspace_id'])
      .where('slug', '=', slug)
      .forUpdate()
      .executeTakeFirst()
    if (!holder || holder.product_id === id) return []
    if (await productOf(holder).executeTakeFirst())
      return [`slug ${slug} of ${id} also belongs to ${holder.product_id}, and stays as it is`]
    await trx.updateTable('product_slugs').set(claim).where('slug', '=', slug).execute()
    return [`slug ${slug} of ${id} is claimed`]
  })
}
