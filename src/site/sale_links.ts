import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { findShownProduct } from './pages/product.tsx'

/** A place where a product is sold. */
export interface SaleLink {
  /** Of the product. */
  slug: string
  link: string
}

const path = /^\/out\/([^/]+)\/(0|[1-9]\d{0,3})$/

/** Which sale link a path asks for; undefined for any other path. */
export function saleLinkOf(requested: string): { slug: string; place: number } | undefined {
  const [, slug, place] = path.exec(requested) ?? []
  if (slug === undefined) return undefined
  try {
    return { slug: decodeURIComponent(slug), place: Number(place) }
  } catch {
    return undefined
  }
}

/** The link of a published product. Only stored links are found, so this leads nowhere else. */
export async function findSaleLink(
  db: Kysely<Database>,
  workspaceId: string,
  { slug, place }: { slug: string; place: number },
): Promise<SaleLink | undefined> {
  const product = await findShownProduct(db, workspaceId, slug)
  const link = product?.sales[place]?.link
  return product && link !== undefined ? { slug: product.slug, link } : undefined
}
