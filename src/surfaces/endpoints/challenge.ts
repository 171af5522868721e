import type { Request, Router } from 'express'
import {
  type ChallengeAction,
  challengeActions,
  contactSite,
} from '../../adapters/bot_challenge.ts'
import { invalidInput, notFound } from '../../core/errors.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { findChallengeSite } from '../../queries/site/websites.ts'
import { exchangeOf, serveGet } from '../pages/pages.ts'
import type { Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { parseQuery } from '../call/request_parts.ts'

/**
 * `GET /challenge`: a page's ALTCHA widget fetches and solves it; the integrator gets the solution.
 */
export function serveChallenges(pages: Router, service: Service): void {
  const { botChallenge, db } = service
  serveGet(pages, '/challenge', async (request, response) => {
    const { siteKey, action, ...unknown } = parseQuery(searchOf(request))
    const [extra] = Object.keys(unknown)
    if (extra !== undefined) throw invalidInput({ [extra]: 'unknownParameter' })
    if (typeof siteKey !== 'string' || siteKey === '')
      throw invalidInput({ siteKey: 'siteKeyRequired' })
    if (action !== undefined && !isAction(action))
      throw invalidInput({ action: ['oneOf', { values: challengeActions.join(', ') }] })
    if (!botChallenge.issue) throw notFound('challenge')

    await consumeLimit(service, rateLimits.challengesOfClient, exchangeOf(response).clientIp)
    const site = siteKey === contactSite ? siteKey : await findChallengeSite(db, siteKey)
    if (site === undefined) throw invalidInput({ siteKey: 'noSuchSite' })
    response
      .set({ 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' })
      .json(await botChallenge.issue(site, action, service.clock()))
  })
}

function searchOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?')
  return at < 0 ? '' : originalUrl.slice(at + 1)
}

function isAction(value: unknown): value is ChallengeAction {
  return (challengeActions as readonly unknown[]).includes(value)
}
