import type { IncomingHttpHeaders } from 'node:http'
import type { Kysely } from 'kysely'
import { parsedUrl } from '../core/urls.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import { insertVisitorEvent } from '../queries/site/visits.ts'
import { findShownProduct } from './pages/product.tsx'

/** A place where a product is sold. */
export interface SaleLink {
  productId: string
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
  return product && link !== undefined ? { productId: product.id, link } : undefined
}

/** Programs that say so, and browsers that only look ahead, are no visitors. */
const isProgram = /bot|crawl|spider|slurp|preview|fetch|curl|wget|python|monitor/i

export function isByPerson(headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent'] ?? ''
  return (
    agent !== '' && !isProgram.test(agent) && !String(headers['sec-purpose']).includes('prefetch')
  )
}

/** Counts a click on a sale link, without who clicked. */
export async function countSaleClick(
  db: Kysely<Database>,
  workspaceId: string,
  { productId, link }: SaleLink,
  now: Date,
): Promise<void> {
  const event = {
    actorType: 'GUEST' as const,
    userId: null,
    eventName: 'click' as const,
    productId,
    collectionId: null,
    details: { properties: { name: parsedUrl(link)?.host ?? '' } },
  }
  await writeOnTheSide(db, async () => void (await insertVisitorEvent(db, workspaceId, event, now)))
}
