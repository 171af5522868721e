import { createServer, type IncomingMessage, type Server } from 'node:http'
import { isLoopbackUrl } from '../../core/public_urls.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { parsedUrl } from '../../core/urls.ts'
import { problemIn, readRecord } from '../../domain/site/domains.ts'
import { findVerifiedDomain, updateProblem } from '../../queries/site/domains.ts'
import { findSiteAt } from '../../site/hosts.ts'
import type { Service } from '../call/call.ts'
import { isWithinLimit } from '../call/limits.ts'

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

const maxLooking = 20

/** Headers, one of which a proxy adds when it forwards a request of others. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Lets a proxy on this machine ask, before it requests a certificate, whether a name belongs to a shop:
 * `GET /ask?domain=`, 200 or 404. In doubt the answer is 404, or strangers could use up the certificate
 * authority's limits by naming hosts that are not ours. It has a server of its own, so that no public
 * origin leads here.
 */
export function createCertificateAsk(service: Service, siteDomain: string): Server {
  const { db, log, lookUpTxt } = service
  const clock = () => service.clock()
  const host = siteDomain.replace(/:\d+$/, '')
  /** Names being checked, so that concurrent requests for a name share one check. */
  const looking = new Map<string, Promise<boolean>>()

  async function isOwn(name: string): Promise<boolean> {
    const site = await findSiteAt(db, host, name, { now: clock() })
    if (!site || site.isSuspended) return false
    if (!name.endsWith(`.${host}`) && !(await isStillVerified(name))) return false
    return isWithinLimit(service, rateLimits.certificates, site.workspaceId)
  }

  /** The record, and with it the domain, may have gone since it was verified. */
  async function isStillVerified(name: string): Promise<boolean> {
    const domain = await findVerifiedDomain(db, name)
    if (!domain) return false
    const problem = problemIn(await readRecord(lookUpTxt, domain), domain)
    if (problem !== domain.problem) await updateProblem(db, domain.id, problem, clock())
    return problem === null
  }

  async function look(name: string): Promise<boolean> {
    try {
      return await isOwn(name)
    } catch (err) {
      log.warn({ err }, 'A proxy asked for a certificate, and was refused because of a fault.')
      return false
    } finally {
      looking.delete(name)
    }
  }

  function isAllowed(request: IncomingMessage): boolean | Promise<boolean> {
    const name = isDirect(request) ? nameIn(request) : undefined
    if (name === undefined) return false
    const known = looking.get(name)
    if (known) return known
    // Strangers choose the names in their handshakes, and these checks use the same connections as callers.
    if (looking.size >= maxLooking) return false
    const running = look(name)
    looking.set(name, running)
    return running
  }

  return createServer((request, response) => {
    void Promise.resolve(isAllowed(request)).then((allowed) => {
      response.writeHead(allowed ? 200 : 404, { 'Cache-Control': 'no-store' }).end()
    })
  })
}

/** Whether a program on this machine asks for itself: it forwards nothing and addresses this machine. */
function isDirect({ method, headers, socket }: IncomingMessage): boolean {
  if (method !== 'GET' || !loopback.has(socket.remoteAddress ?? '')) return false
  return isLoopbackUrl(`http://${headers.host}`) && !forwarding.some((name) => name in headers)
}

function nameIn({ url = '' }: IncomingMessage): string | undefined {
  const asked = parsedUrl(url, 'http://localhost')
  if (asked?.pathname !== '/ask') return undefined
  const names = asked.searchParams.getAll('domain')
  return names.length === 1 ? names[0] : undefined
}
