import { expect } from 'vitest'
import type { Handlers } from '../../src/operation.ts'
import { type RawAnswer, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import type { OriginName, Way } from './ways.ts'

const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const exposedHeaders =
  'ETag,Location,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id,Deprecation,Sunset,Link,WWW-Authenticate'

/** Injected faults that no request can cause. */
const faults: Partial<Handlers> = {
  list_templates: () => Promise.reject(new Error('a detail of the inside')),
  get_website: () => Promise.reject(Object.assign(new Error('10.0.0.7'), { code: 'ECONNREFUSED' })),
}

export interface House {
  service: TestService
  /** Values of the names in braces. */
  values: Record<string, string>
}

export async function openHouse(): Promise<House> {
  const service = await startService({ handlers: faults })
  const owner = await service.givenPerson()
  const others = [await service.givenPerson(), await service.givenPerson()] as const
  await service.db
    .updateTable('accounts')
    .set({ status: 'SUSPENDED' })
    .where('id', '=', others[1].accountId)
    .execute()
  const values = {
    cookie: owner.cookie,
    dashboardUrl: service.config.dashboardUrl,
    workspaceId: (await service.givenWorkspace(owner)).id,
    key: (await service.givenKey(owner)).key,
    expired: (await service.givenKey(owner, { expiresInDays: -1 })).key,
    narrow: (await service.givenKey(owner, { scopes: ['account:read'] })).key,
    foreign: (await service.givenKey(others[0])).key,
    suspended: (await service.givenKey(others[1])).key,
  }
  return { service, values }
}

export function bytesOf(
  { values }: House,
  [, line, , { raw, headers = {}, body = '' } = {}]: Way,
): string {
  const [method = '', target = ''] = line.split(' ')
  const text = raw ?? requestText(method, target, { headers, body })
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export const isHead = ([, line]: Way) => line.startsWith('HEAD ')

/** The headers that every answer has, under their expected names. */
export function expectHouseHeaders(
  origin: OriginName,
  { headers }: RawAnswer,
  [, , , more = {}]: Way,
) {
  const { policy = securityHeaders['content-security-policy'], answers = {} } = more
  expect(headers).toMatchObject({
    ...securityHeaders,
    'content-security-policy': policy,
    'x-request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/),
    ...answers,
  })
  expect(headers).not.toHaveProperty('x-powered-by')
  const shared = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  if (origin !== 'api') return expect(shared).toEqual([])
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
  })
  expect(shared).not.toContain('access-control-allow-credentials')
}
