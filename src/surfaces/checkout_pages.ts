import express, { type Request, type Router } from 'express'
import { ApiError, notFound } from '../core/errors.ts'
import { payBuiltIn, shownCheckout } from '../domain/checkouts.ts'
import { findCheckout, type StoredCheckout } from '../queries/checkouts.ts'
import { serveGet, servePost } from './pages.ts'
import type { Service } from './pipeline.ts'

const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/**
 * The page of the built-in provider, in place of the real one's: whoever has its address can pay,
 * without money. It is served in development alone.
 */
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
      throw new ApiError('origin_refused', `Send this from ${config.dashboardUrl}.`)
  }

  router.use((_request, response, next) => {
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' })
    // Without a referrer browsers hide the Origin of a form, too.
    response.set('Referrer-Policy', 'same-origin')
    next()
  })
  serveGet(router, '/:id', async (request, response) => {
    response.type('html').send(pageOf(await find(request)))
  })
  servePost(router, '/:id/pay', async (request, response) => {
    requireOwnOrigin(request)
    const checkout = await find(request)
    await payBuiltIn({ payments, now: service.clock() }, checkout)
    response.redirect(303, `/checkout/${checkout.id}`)
  })
  servePost(router, '/:id/cancel', async (request, response) => {
    requireOwnOrigin(request)
    await find(request)
    response.redirect(303, '/?checkout=cancelled')
  })
  return router
}

function pageOf(checkout: StoredCheckout): string {
  const { id, status, credits, price, currency } = shownCheckout(checkout)
  const what = `${credits} AI credits for ${price.toFixed(2)} ${currency}`
  const open = `<p>This checkout of the development environment takes no money.</p>
      <form method="post" action="/checkout/${id}/pay"><button>Pay</button></form>
      <form method="post" action="/checkout/${id}/cancel"><button>Cancel</button></form>`
  const paid = `<p>Paid. The credits are in the wallet.</p>
      <p><a href="/?checkout=paid">Back to the dashboard</a></p>`
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Checkout</title>
  </head>
  <body>
    <main>
      <h1>Checkout</h1>
      <p>${what}</p>
      ${status === 'OPEN' ? open : paid}
    </main>
  </body>
</html>
`
}
