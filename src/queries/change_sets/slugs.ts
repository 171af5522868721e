import { type RawBuilder, sql, type Transaction } from 'kysely'
import { suffixedSlug } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import { ofSet, type SetKey, type SetSlice } from './change_set_rows.ts'

/*
 * The slugs of the products that a step inserts. They are unique in the whole service, and another transaction
 * that wants one waits for the end of the step. A step that is taken within a call claims them before it
 * writes any product, as a new product does: two transactions that want the same name then meet at its slug,
 * where neither holds the name. One in the background takes long, so it only chooses them at first, and claims
 * them near its end. It may meet a new product in a deadlock there; whichever of the two PostgreSQL ends is
 * written again.
 *
 * Where another shop has a slug by then, the product gets it with a suffix. A deleted product still holds its
 * own.
 *
 * Raw SQL: claims come as parallel arrays, of any length.
 */

interface SlugClaim {
  slug: string
  id: string
}

/** The slugs of the products that a step inserts, by product. */
export interface ChosenSlugs {
  all: Map<string, string>
  /** Those that are not as the plan says. */
  others: Map<string, string>
}

/** The rows whose products a step inserts: new ones, or those that it puts back. */
const wantedSlug = {
  CREATE: sql<string>`r.desired -> 'product' ->> 'slug'`,
  DELETE: sql<string>`r.before -> 'product' ->> 'slug'`,
}

/** The slugs of some products as rows of a statement. */
export const slugRows = ({ all }: ChosenSlugs, ids: readonly string[]): RawBuilder<unknown> =>
  claimRows(ids.map((id) => ({ id, slug: all.get(id)! })))

/** Claims as rows of a statement. */
const claimRows = (claims: readonly SlugClaim[]): RawBuilder<unknown> =>
  sql`unnest(${claims.map(({ slug }) => slug)}::text[], ${claims.map(({ id }) => id)}::text[])`

const suffixed = ({ slug, id }: SlugClaim): SlugClaim => ({ slug: suffixedSlug(slug, id), id })

/** Chooses slugs that look free. Two rows may want the same one: the second gets a suffix, too. */
export async function chooseSlugs(
  trx: Transaction<Database>,
  slice: SetSlice,
  effect: keyof typeof wantedSlug,
  { all, others }: ChosenSlugs,
): Promise<void> {
  const wanted = await trx
    .selectFrom('change_set_rows as r')
    .select([wantedSlug[effect].as('slug'), sql.ref<string>('r.product_id').as('id')])
    .where(ofSet(slice))
    .where('r.effect', '=', effect)
    .orderBy('r.number')
    .execute()
  if (wanted.length === 0) return
  const taken = await trx
    .selectFrom('product_slugs')
    .select(['slug', 'product_id as id'])
    .where('slug', '=', sql<string>`any(${wanted.map(({ slug }) => slug)})`)
    .execute()
  const holders = new Map(taken.map(({ slug, id }) => [slug, id]))
  const held = new Set(all.values())
  for (const each of wanted) {
    const isFree = !held.has(each.slug) && (holders.get(each.slug) ?? each.id) === each.id
    const own = isFree ? each : suffixed(each)
    all.set(own.id, own.slug)
    held.add(own.slug)
    if (!isFree) others.set(own.id, own.slug)
  }
}

/**
 * Notes slugs in the plan: the undo compares with what was written. Only once the products are inserted: this
 * formats the JSON of their rows anew, and products keep theirs as it is written.
 */
export async function noteSlugs(
  trx: Transaction<Database>,
  key: SetKey,
  { others }: ChosenSlugs,
): Promise<void> {
  if (others.size === 0) return
  const claims = [...others].map(([id, slug]) => ({ id, slug }))
  await sql`
    update change_set_rows r
    set desired = jsonb_set(r.desired::jsonb, '{product,slug}', to_jsonb(other.slug))::json
    from ${claimRows(claims)} as other (slug, id)
    where ${ofSet(key)} and r.effect = 'CREATE' and r.product_id = other.id`.execute(trx)
}

/** Claims the chosen slugs, always in the same order. Returns what was chosen instead of those that are gone. */
export async function claimSlugs(
  trx: Transaction<Database>,
  key: SetKey,
  chosen: ChosenSlugs,
): Promise<SlugClaim[]> {
  if (chosen.all.size === 0) return []
  const { workspaceId } = key
  const claims = [...chosen.all].map(([id, slug]) => ({ slug, id }))
  claims.sort((one, other) => (one.slug < other.slug ? -1 : 1))
  const claim = async (some: readonly SlugClaim[]) => {
    const { rows } = await sql<{ slug: string }>`
      insert into product_slugs (slug, workspace_id, product_id)
      select claim.slug, ${workspaceId}, claim.id from ${claimRows(some)} as claim (slug, id)
      on conflict (slug) do update set product_id = excluded.product_id
        where product_slugs.product_id = excluded.product_id
      returning slug`.execute(trx)
    return new Set(rows.map(({ slug }) => slug))
  }
  const free = await claim(claims)
  const others = claims.filter(({ slug }) => !free.has(slug)).map(suffixed)
  if (others.length > 0) await claim(others)
  for (const { slug, id } of others) {
    chosen.all.set(id, slug)
    chosen.others.set(id, slug)
  }
  return others
}

/** Claims the slugs of products that are inserted already; those whose slug is gone get another. */
export async function claimSlugsOfInserted(
  trx: Transaction<Database>,
  key: SetKey,
  chosen: ChosenSlugs,
): Promise<void> {
  const others = await claimSlugs(trx, key, chosen)
  if (others.length === 0) return
  await sql`
    update products p set slug = other.slug from ${claimRows(others)} as other (slug, id)
    where p.workspace_id = ${key.workspaceId} and p.id = other.id`.execute(trx)
  await noteSlugs(trx, key, chosen)
}
