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

/** A proxy that passes on what others send adds one of these. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Where a proxy on this machine asks, before it gets a certificate, whether a name is that of a shop:
 * `GET /ask?domain=`, 200 or 404. Whatever is unclear is 404, or strangers could use up what the
 * certificate authority grants by naming hosts that are none of ours. It has a server of its own, so that
 * no public origin leads here.
 */
export function createCertificateAsk(service: Service, siteDomain: string): Server {
  const { db, log, lookUpTxt } = service
  const clock = () => service.clock()
  const host = siteDomain.replace(/:\d+$/, '')
  /** Names that are being looked at: a name that is asked for by many is looked up once. */
  const looking = new Map<string, Promise<boolean>>()

  async function isOwn(name: string): Promise<boolean> {
    const site = await findSiteAt(db, host, name, { now: clock() })
    if (!site || site.isSuspended) return false
    if (!name.endsWith(`.${host}`) && !(await isStillVerified(name))) return false
    return isWithinLimit(service, rateLimits.certificates, site.workspaceId)
  }

  /** The record may have gone since it was verified, and the domain with it. */
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
    // Strangers name hosts in their handshakes, and callers wait for the same connections.
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

/** Whether a program of this machine asks by itself: passes nothing on, and means this machine. */
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
