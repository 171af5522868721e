import { type RawBuilder, sql, type Transaction } from 'kysely'
import { suffixedSlug } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import { ofSet, type SetKey } from './change_set_rows.ts'

/*
 * The slugs of the products that a step inserts. They are unique in the whole service, and who wants one that
 * another transaction has just claimed waits for its end. So a step only chooses slugs while it writes, which
 * takes long, and claims them right before it commits.
 *
 * Where another shop has a slug by then, the product gets it with a suffix. A deleted product still holds its
 * own.
 */

export interface SlugClaim {
  slug: string
  id: string
}

/** The products that a step has inserted, by their slugs. */
export type ChosenSlugs = Map<string, string>

/** Claims as rows of a statement. */
export const claimRows = (claims: readonly SlugClaim[]): RawBuilder<unknown> =>
  sql`unnest(${claims.map(({ slug }) => slug)}::text[], ${claims.map(({ id }) => id)}::text[])`

const suffixed = ({ slug, id }: SlugClaim): SlugClaim => ({ slug: suffixedSlug(slug, id), id })

/**
 * Chooses slugs that look free, and returns those that are not as wanted: two rows may want the same one, and
 * the second gets a suffix, too.
 */
export async function chooseSlugs(
  trx: Transaction<Database>,
  wanted: readonly SlugClaim[],
  chosen: ChosenSlugs,
): Promise<SlugClaim[]> {
  const taken = await sql<SlugClaim>`
    select slug, product_id as id from product_slugs
    where slug = any(${wanted.map(({ slug }) => slug)})`.execute(trx)
  const holders = new Map(taken.rows.map(({ slug, id }) => [slug, id]))
  const others: SlugClaim[] = []
  for (const each of wanted) {
    const isFree = !chosen.has(each.slug) && (holders.get(each.slug) ?? each.id) === each.id
    const own = isFree ? each : suffixed(each)
    chosen.set(own.slug, own.id)
    if (!isFree) others.push(own)
  }
  return others
}

/** Notes slugs in the plan: the undo compares with what was written. */
export async function noteSlugs(
  trx: Transaction<Database>,
  key: SetKey,
  others: readonly SlugClaim[],
): Promise<void> {
  if (others.length === 0) return
  await sql`
    update change_set_rows r
    set desired = jsonb_set(r.desired::jsonb, '{product,slug}', to_jsonb(other.slug))::json
    from ${claimRows(others)} as other (slug, id)
    where ${ofSet(key)} and r.effect = 'CREATE' and r.product_id = other.id`.execute(trx)
}

/** Claims the slugs of products that are inserted, always in the same order. */
export async function claimSlugs(
  trx: Transaction<Database>,
  key: SetKey,
  chosen: ChosenSlugs,
): Promise<void> {
  if (chosen.size === 0) return
  const { workspaceId } = key
  const claims = [...chosen].map(([slug, id]) => ({ slug, id }))
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
  if (others.length === 0) return
  await claim(others)
  await sql`
    update products p set slug = other.slug from ${claimRows(others)} as other (slug, id)
    where p.workspace_id = ${workspaceId} and p.id = other.id`.execute(trx)
  await noteSlugs(trx, key, others)
}
