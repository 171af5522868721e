import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import { columnsIn, jsonObject, type ReadFields } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { catalogueVersion } from '../catalogue/feed.ts'
import { type CountPlace, type EventName, placeOf, recordEvent } from '../credits/usage_events.ts'
import { insertInMonth } from '../credits/usage_months.ts'
import { mediaFields } from '../media/media_fields.ts'

/* Raw SQL: a visit is recorded with its event and sums in one statement. */

export interface VisitorDay {
  workspaceId: string
  visitorId: string
  /** UTC date, such as `2026-01-05`. */
  day: string
}

type CustomerProfile = components['schemas']['CustomerProfile']

interface BootstrapVisitor {
  logo: components['schemas']['Media'] | null
  customer: CustomerProfile | null
  requestsMade: number
  visited: boolean
  /** The version of everything that visitors see of the workspace. */
  catalogueVersion: string
}

const column = columnsIn('customers', 'customers')
const profileFields: ReadFields<CustomerProfile> = {
  id: column('id'),
  name: column('name'),
  email: column('email'),
  phone: column('phone'),
  language: column('language'),
}

/** Bootstrap data of a visitor: a customer's profile, what the day has counted for them, and the logo. */
export const findBootstrapVisitor = prepared<VisitorDay & { logoImageId: string | null }>()(
  'find_bootstrap_visitor',
  (_db, parameter) => sql<BootstrapVisitor>`
    select
      (select ${jsonObject(profileFields)} from customers
        where workspace_id = ${parameter('workspaceId')} and id = ${parameter('visitorId')})
        as customer,
      coalesce((select requests from visitor_quotas
        where workspace_id = ${parameter('workspaceId')} and visitor_id = ${parameter('visitorId')}
          and day = ${parameter('day')}::date), 0) as "requestsMade",
      exists (select from visits
        where workspace_id = ${parameter('workspaceId')} and visitor_id = ${parameter('visitorId')}
          and day = ${parameter('day')}::date) as visited,
      (select ${jsonObject(mediaFields)} from media
        where workspace_id = ${parameter('workspaceId')} and id = ${parameter('logoImageId')}) as logo,
      ${catalogueVersion(parameter('workspaceId'))} as "catalogueVersion"`,
)

export interface VisitorActor {
  actorType: 'GUEST' | 'CUSTOMER' | 'TRIAL'
  userId: string | null
}

const insertFirstVisit = prepared<
  VisitorDay & VisitorActor & CountPlace & { id: string; now: Date }
>()(
  'insert_first_visit',
  (_db, parameter) => sql`
    with first as (
      insert into visits (workspace_id, visitor_id, day)
      values (${parameter('workspaceId')}, ${parameter('visitorId')}, ${parameter('day')}::date)
      on conflict on constraint visits_pkey do nothing
      returning workspace_id
    ), ${recordEvent(
      parameter('workspaceId'),
      {
        id: parameter('id'),
        actorType: parameter('actorType'),
        userId: parameter('userId'),
        eventName: sql`'visit'`,
        endpoint: sql`'get_bootstrap'`,
        now: parameter('now'),
        day: parameter('day'),
        month: parameter('month'),
        personal: parameter('personal'),
        slots: parameter('slots'),
        counts: { visits: sql`1` },
      },
      sql`from first`,
    )}`,
)

/**
 * Records a visitor's visit for the day. Of parallel bootstraps, only one inserts the day and, with it, the
 * event.
 */
export async function insertVisit(
  db: Kysely<Database>,
  visit: VisitorDay & VisitorActor,
  now: Date,
): Promise<void> {
  const place = await placeOf(db, visit, now)
  const row = { ...visit, ...place, id: newId('evt'), now }
  await insertInMonth(db, now, () => insertFirstVisit(db, row))
}

interface CatalogueEvent extends VisitorActor {
  id: string
  workspaceId: string
  eventName: EventName
  productId: string | null
  collectionId: string | null
  details: string | null
  now: Date
}

const insertCatalogueEvent = prepared<CatalogueEvent & CountPlace>()(
  'insert_catalogue_event',
  (_db, parameter) => {
    const [product, collection] = [parameter('productId'), parameter('collectionId')]
    const workspace = parameter('workspaceId')
    const published = sql`
      where (${product}::text is null or exists (select from products
          where workspace_id = ${workspace}::text and id = ${product}::text
            and products.status = 'ACTIVE'))
        and (${collection}::text is null or exists (select from collections
          where workspace_id = ${workspace}::text and id = ${collection}::text))`
    const event = {
      id: parameter('id'),
      actorType: parameter('actorType'),
      userId: parameter('userId'),
      eventName: parameter('eventName'),
      endpoint: sql`'record_event'`,
      resourceType: sql`case when ${product}::text is not null then 'product'
        when ${collection}::text is not null then 'collection' else '' end`,
      resourceId: sql`coalesce(${product}::text, ${collection}::text, '')`,
      details: parameter('details'),
      now: parameter('now'),
      day: parameter('day'),
      month: parameter('month'),
      personal: parameter('personal'),
      slots: parameter('slots'),
      counts: { product_views: sql`(event_name = 'product.view')::integer` },
    }
    return sql<{ id: string }>`with ${recordEvent(workspace, event, published)} returning id`
  },
)

/**
 * Records a visitor's event, in one statement that also checks that the product and the collection
 * are published here; returns whether they were.
 */
export async function insertVisitorEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: Omit<CatalogueEvent, 'id' | 'workspaceId' | 'now' | 'details'> & { details: object },
  now: Date,
): Promise<boolean> {
  const details = Object.keys(event.details).length > 0 ? JSON.stringify(event.details) : null
  const place = await placeOf(db, event, now)
  const row = { ...event, ...place, details, id: newId('evt'), workspaceId, now }
  const rows = await insertInMonth(db, now, () => insertCatalogueEvent(db, row))
  return rows.length === 1
}

/** Deletes the days of a visitor's visits. */
export async function deleteVisitsOf(
  trx: Transaction<Database>,
  { workspaceId, visitorId }: Omit<VisitorDay, 'day'>,
): Promise<void> {
  await trx
    .deleteFrom('visits')
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .execute()
}

/** Whether a workspace's visitors can see a product or a collection. */
export async function isPublished(
  db: Kysely<Database>,
  workspaceId: string,
  table: 'products' | 'collections',
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .$if(table === 'products', (products) => products.where(sql<boolean>`status = 'ACTIVE'`))
    .executeTakeFirst()
  return row !== undefined
}
