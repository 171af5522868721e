import { type Kysely, sql, type Transaction } from 'kysely'
import type { PageRequest } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import { powers, roles } from '../../generated/roles.ts'

export interface StoredCheckout {
  id: string
  workspaceId: string
  credits: number
  amountCents: number
  currency: string
  sessionId: string | null
  refundedCredits: number
  createdAt: string
  paidAt: string | null
}

const columns = [
  'id',
  'workspace_id as workspaceId',
  'credits',
  'amount_cents as amountCents',
  'currency',
  'session_id as sessionId',
  'refunded_credits as refundedCredits',
  'created_at as createdAt',
  'paid_at as paidAt',
] as const

/** Inserts a checkout and records its workspace: a payment names it by its id alone. */
export async function insertCheckout(
  trx: Transaction<Database>,
  checkout: Pick<StoredCheckout, 'id' | 'workspaceId' | 'credits' | 'amountCents' | 'currency'> & {
    accountId: string
  },
  now: Date,
): Promise<void> {
  const { id, workspaceId, accountId, credits, amountCents, currency } = checkout
  await trx
    .insertInto('checkout_workspaces')
    .values({ checkout_id: id, workspace_id: workspaceId })
    .execute()
  await trx
    .insertInto('checkouts')
    .values({
      id,
      workspace_id: workspaceId,
      account_id: accountId,
      credits,
      amount_cents: amountCents,
      currency,
      session_id: null,
      created_at: now,
    })
    .execute()
}

/** The workspace of a checkout, and its id. */
type Address = Pick<StoredCheckout, 'workspaceId' | 'id'>

function updateCheckout(db: Kysely<Database>, { workspaceId, id }: Address) {
  return db.updateTable('checkouts').where('workspace_id', '=', workspaceId).where('id', '=', id)
}

export async function updateCheckoutSession(
  db: Kysely<Database>,
  address: Address,
  sessionId: string,
): Promise<void> {
  await updateCheckout(db, address).set({ session_id: sessionId }).execute()
}

export async function findCheckout(
  db: Kysely<Database>,
  id: string,
): Promise<StoredCheckout | undefined> {
  const place = await selectPlace(db, id).executeTakeFirst()
  return place && selectCheckout(db, place.workspaceId, id).executeTakeFirst()
}

function selectPlace(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('checkout_workspaces')
    .select('checkout_workspaces.workspace_id as workspaceId')
    .where('checkout_id', '=', id)
}

function selectCheckout(db: Kysely<Database>, workspaceId: string, id: string) {
  return db
    .selectFrom('checkouts')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
}

const buyers = roles.filter((role) => powers[role].includes('credits'))

/** A checkout of an active workspace in which the account may buy credits. */
export async function findBuyersCheckout(
  db: Kysely<Database>,
  id: string,
  accountId: string,
): Promise<StoredCheckout | undefined> {
  const place = await selectPlace(db, id)
    .innerJoin('members', 'members.workspace_id', 'checkout_workspaces.workspace_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.account_id', '=', accountId)
    .where('members.role', 'in', buyers)
    .where('members.status', '=', 'ACTIVE')
    .where('workspaces.status', '=', 'ACTIVE')
    .executeTakeFirst()
  return place && selectCheckout(db, place.workspaceId, id).executeTakeFirst()
}

/** A page of the paid checkouts, latest payment first, and their number. */
export async function listPaidCheckouts(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: PageRequest,
): Promise<{ checkouts: StoredCheckout[]; total: number }> {
  const paid = db
    .selectFrom('checkouts')
    .where('workspace_id', '=', workspaceId)
    .where('paid_at', 'is not', null)
  const { total } = await paid
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const checkouts = await paid
    .select(columns)
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { checkouts, total }
}

export async function lockCheckout(
  trx: Transaction<Database>,
  id: string,
): Promise<StoredCheckout | undefined> {
  const place = await selectPlace(trx, id).executeTakeFirst()
  return place && selectCheckout(trx, place.workspaceId, id).forNoKeyUpdate().executeTakeFirst()
}

export async function markPaid(
  trx: Transaction<Database>,
  address: Address,
  now: Date,
): Promise<void> {
  await updateCheckout(trx, address).set({ paid_at: now }).execute()
}

export async function markRefunded(
  trx: Transaction<Database>,
  address: Address,
  credits: number,
): Promise<void> {
  await updateCheckout(trx, address).set({ refunded_credits: credits }).execute()
}

/**
 * Merges new data into a payment and locks it. Refunded amounts are cumulative, so the largest is
 * the latest, in whatever order events arrive.
 */
export function mergePaymentIntent(
  trx: Transaction<Database>,
  intent: {
    id: string
    checkoutId: string | undefined
    amountCents: number | undefined
    refundedCents: number
  },
): Promise<{ checkoutId: string | null }> {
  const { id, checkoutId = null, amountCents = null, refundedCents } = intent
  return trx
    .insertInto('payment_intents')
    .values((eb) => ({
      id,
      checkout_id: eb
        .selectFrom('checkout_workspaces')
        .select('checkout_id')
        .where('checkout_id', '=', checkoutId),
      amount_cents: amountCents,
      refunded_cents: refundedCents,
    }))
    .onConflict((on) =>
      on.column('id').doUpdateSet(({ fn }) => ({
        checkout_id: fn.coalesce('payment_intents.checkout_id', 'excluded.checkout_id'),
        amount_cents: fn.coalesce('payment_intents.amount_cents', 'excluded.amount_cents'),
        refunded_cents: fn('greatest', [
          'payment_intents.refunded_cents',
          'excluded.refunded_cents',
        ]),
      })),
    )
    .returning('checkout_id as checkoutId')
    .executeTakeFirstOrThrow()
}

/** What a payment of a checkout brought in, and what of it was taken back. */
export interface Returned {
  amountCents: number | null
  refundedCents: number
  /** Taken by disputes and not given back. */
  disputedCents: number
}

export function listReturned(db: Kysely<Database>, checkoutId: string): Promise<Returned[]> {
  return db
    .selectFrom('payment_intents as payment')
    .select((select) => [
      'payment.amount_cents as amountCents',
      'payment.refunded_cents as refundedCents',
      select
        .selectFrom('payment_disputes as dispute')
        .select(sql<number>`coalesce(sum(dispute.amount_cents), 0)::bigint`.as('cents'))
        .whereRef('dispute.payment_intent', '=', 'payment.id')
        .where('dispute.is_withdrawn', '=', true)
        .where('dispute.is_reinstated', '=', false)
        .$asScalar()
        .$notNull()
        .as('disputedCents'),
    ])
    .where('payment.checkout_id', '=', checkoutId)
    .execute()
}

/**
 * Merges the data of a dispute event. Money is withdrawn at most once and given back at most once, so the
 * order of the events does not matter. The caller holds the payment's lock.
 */
export async function mergeDispute(
  trx: Transaction<Database>,
  dispute: {
    id: string
    paymentIntent: string
    amountCents: number
    isWithdrawn: boolean
    isReinstated: boolean
  },
): Promise<void> {
  const { id, paymentIntent, amountCents, isWithdrawn, isReinstated } = dispute
  await trx
    .insertInto('payment_disputes')
    .values({
      id,
      payment_intent: paymentIntent,
      amount_cents: amountCents,
      is_withdrawn: isWithdrawn,
      is_reinstated: isReinstated,
    })
    .onConflict((on) =>
      on.constraint('payment_disputes_key').doUpdateSet(({ fn }) => ({
        amount_cents: fn('greatest', ['payment_disputes.amount_cents', 'excluded.amount_cents']),
        is_withdrawn: sql<boolean>`payment_disputes.is_withdrawn or excluded.is_withdrawn`,
        is_reinstated: sql<boolean>`payment_disputes.is_reinstated or excluded.is_reinstated`,
      })),
    )
    .execute()
}

/** Records an event by its id; returns whether it is new. A concurrent insert of the same event waits. */
export async function insertPaymentEvent(
  trx: Transaction<Database>,
  event: { id: string; type: string },
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_events')
    .values({
      id: event.id,
      type: event.type,
      checkout_id: null,
      payment_intent: null,
      outcome: 'IGNORED',
      received_at: now,
    })
    .onConflict((on) => on.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updatePaymentEvent(
  trx: Transaction<Database>,
  id: string,
  result: { outcome: string; checkoutId: string | undefined; paymentIntent: string | undefined },
): Promise<void> {
  const { outcome, checkoutId = null, paymentIntent = null } = result
  await trx
    .updateTable('payment_events')
    .set({ outcome, checkout_id: checkoutId, payment_intent: paymentIntent })
    .where('id', '=', id)
    .execute()
}
