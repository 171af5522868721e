import express, { type Request, type Router } from 'express'
import { checkoutReturn } from '../../adapters/payments.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import { checkoutOf, payBuiltIn } from '../../domain/credits/checkouts.ts'
import { findCheckout, type StoredCheckout } from '../../queries/credits/checkouts.ts'
import { fill } from '../../texts/fill.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import { html, type HtmlPage, sendPage } from './html.ts'
import { serveGet, servePost } from './pages.ts'
import type { Service } from '../call/call.ts'

/** The built-in provider's checkout, in development only: anyone with its URL can pay for free. */
export function createCheckoutPages(service: Service): Router {
  const { db, config, payments } = service
  const router = express.Router()
  const find = async (request: Request): Promise<StoredCheckout> => {
    const checkout = await findCheckout(db, request.params.id as string)
    if (!checkout) throw notFound('checkout')
    return checkout
  }
  const requireOwnOrigin = (request: Request) => {
    if (request.get('Origin') !== config.dashboardUrl)
      throw new ApiError('origin_refused', ['sendFromOrigin', { origin: config.dashboardUrl }])
  }

  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  serveGet(router, '/:id', async (request, response) => {
    const language = languageOf(request.headers['accept-language'])
    sendPage(response, 200, pageOf(language, await find(request)))
  })
  servePost(router, '/:id/pay', async (request, response) => {
    requireOwnOrigin(request)
    const checkout = await find(request)
    await payBuiltIn({ payments, now: service.clock() }, checkout)
    response.redirect(303, `/checkout/${checkout.id}`)
  })
  servePost(router, '/:id/cancel', async (request, response) => {
    requireOwnOrigin(request)
    const { workspaceId } = await find(request)
    response.redirect(303, checkoutReturn(workspaceId, 'cancelled'))
  })
  return router
}

function pageOf(language: Language, checkout: StoredCheckout): HtmlPage {
  const { id, status, credits: count, price: amount, currency } = checkoutOf(checkout)
  const t = serviceTexts[language].checkout
  const credits = new Intl.NumberFormat(language).format(count)
  const price = new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
  const order = html`<dl class="facts order">
    <div>
      <dt>${t.credits}</dt>
      <dd>${credits}</dd>
    </div>
    <div>
      <dt>${t.total}</dt>
      <dd><b>${price}</b></dd>
    </div>
  </dl>`
  if (status === 'PAID') {
    const body = html`<p class="notice good" role="status">${t.paid}</p>
      ${order}
      <div class="actions">
        <a class="button primary" href="${checkoutReturn(checkout.workspaceId, 'paid')}"
          >${t.back}</a
        >
      </div>`
    return { language, title: t.paidTitle, body }
  }
  const body = html`${order}
    <p class="notice">${t.noMoney}</p>
    <div class="actions">
      <form method="post" action="/checkout/${id}/pay">
        <button class="primary">${fill(language, t.pay, { price })}</button>
      </form>
      <form method="post" action="/checkout/${id}/cancel">
        <button>${t.cancel}</button>
      </form>
    </div>`
  return { language, title: fill(language, t.title, { credits }), body }
}
