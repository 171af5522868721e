import { invalidInput, notFound } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { paginationOf } from '../src/core/paging.ts'
import {
  checkoutOf,
  openAtProvider,
  payBuiltIn,
  refundBuiltIn,
} from '../src/domain/credits/checkouts.ts'
import { packOf, packs } from '../src/domain/credits/packs.ts'
import type { Handler, SessionCaller } from '../src/operation.ts'
import { getWorkspace } from '../src/queries/people/workspaces.ts'
import {
  findBuyersCheckout,
  findCheckout,
  insertCheckout,
  listPaidCheckouts,
  type StoredCheckout,
  updateCheckoutSession,
} from '../src/queries/credits/checkouts.ts'
import { getWalletLimit, updateWalletLimit } from '../src/queries/credits/wallet_limits.ts'

export const list_packs: Handler<'list_packs'> = () =>
  Promise.resolve({
    packs: packs.map(({ credits, amountCents, currency }) => ({
      credits,
      price: amountCents / 100,
      currency,
    })),
  })

export const list_receipts: Handler<'list_receipts'> = async ({ path, query }, { db }) => {
  const { page, pageSize } = query
  const { checkouts, total } = await listPaidCheckouts(db, path.workspaceId, query)
  const { name, billingEmail } = await getWorkspace(db, path.workspaceId)
  const receipts = checkouts.map(
    ({ id, paidAt, credits, amountCents, currency, refundedCredits }) => ({
      id,
      paidAt: paidAt!,
      credits,
      price: amountCents / 100,
      currency,
      refundedCredits,
      workspaceName: name,
      billingEmail,
    }),
  )
  return { receipts, pagination: paginationOf(page, pageSize, total) }
}

export const get_balance_alert: Handler<'get_balance_alert'> = async ({ path }, { db }) => ({
  below: await getWalletLimit(db, path.workspaceId, 'alert_below'),
})

export const update_balance_alert: Handler<'update_balance_alert'> = (
  { path, body },
  { transaction },
) =>
  transaction(async (trx) => {
    await updateWalletLimit(trx, path.workspaceId, 'alert_below', body.below)
    return { below: body.below }
  })

export const get_site_budget: Handler<'get_site_budget'> = async ({ path }, { db }) => ({
  dailyCredits: await getWalletLimit(db, path.workspaceId, 'site_daily_credits'),
})

export const update_site_budget: Handler<'update_site_budget'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    await updateWalletLimit(trx, path.workspaceId, 'site_daily_credits', body.dailyCredits)
    return { dailyCredits: body.dailyCredits }
  })

export const create_checkout: Handler<'create_checkout'> = async ({ path, body }, caller) => {
  const { db, accountId, now } = caller
  const checkout = { id: newId('chk'), workspaceId: path.workspaceId, ...packOf(body.pack) }
  // Insert before calling the provider: its first event may arrive before its response.
  await db.transaction().execute((trx) => insertCheckout(trx, { ...checkout, accountId }, now))
  const { url, sessionId } = await openAtProvider(caller, checkout)
  if (sessionId !== null) await updateCheckoutSession(db, checkout, sessionId)
  return { id: checkout.id, url }
}

export const pay_development_checkout: Handler<'pay_development_checkout'> = async (
  { path },
  caller,
) => {
  await payBuiltIn(caller, await requireOwnCheckout(caller, path.id))
  return readCheckout(caller, path.id)
}

export const refund_development_checkout: Handler<'refund_development_checkout'> = async (
  { path, body },
  caller,
) => {
  const checkout = await requireOwnCheckout(caller, path.id)
  const reason = await refundBuiltIn(caller, checkout, body?.credits)
  if (reason) throw invalidInput({ credits: reason })
  return readCheckout(caller, path.id)
}

/** With real payments, nothing can be simulated: the path does not exist. */
async function requireOwnCheckout(
  { db, payments, accountId }: SessionCaller,
  id: string,
): Promise<StoredCheckout> {
  const checkout = payments.announce && (await findBuyersCheckout(db, id, accountId))
  if (!checkout) throw notFound('checkout')
  return checkout
}

async function readCheckout({ db }: SessionCaller, id: string) {
  const checkout = await findCheckout(db, id)
  if (!checkout) throw notFound('checkout')
  return checkoutOf(checkout)
}
