import type { OperationId } from '../../src/operation.ts'

const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'"
const appPolicy = (forms: string, frames: string) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
  "connect-src 'self' http://localhost:3000; img-src 'self' http://localhost:3000 blob: data:; " +
  `base-uri 'none'; form-action ${forms}; frame-src ${frames}; ` +
  "frame-ancestors 'none'; require-trusted-types-for 'script'"
const shops = 'http://*.localhost:3003'
const dashboardPolicy = appPolicy(`'self' ${shops}`, shops)
const adminPolicy = appPolicy("'self'", "'none'")

export type OriginName = 'api' | 'dashboard' | 'admin'

/** The specifics of one path that a request can take through the service. */
export interface Particulars {
  code?: string
  operation?: OperationId
  headers?: Record<string, string>
  body?: string
  /** The exact bytes, for a request that is not ordinary HTTP. */
  raw?: string
  policy?: string
  /** Additional headers of the answer. */
  answers?: Record<string, string>
}

export type Way = [title: string, line: string, status: number, particulars?: Particulars]

const json = { 'Content-Type': 'application/json' }
const key = { Authorization: 'Bearer {key}' }
const session = { Cookie: '{cookie}' }
const profile = '/v1/workspaces/{workspaceId}/workspace'
const listing = { operation: 'list_workspaces' } as const
const refusal = (code: string, operation?: OperationId, more: Particulars = {}): Particulars => ({
  ...(operation ? { code, operation } : { code }),
  ...more,
})
const bearer = (name: string) => ({ headers: { Authorization: `Bearer {${name}}` } })
const wrongMethod = (allow: string) =>
  refusal('method_not_allowed', undefined, { answers: { allow } })

export const onApi: Way[] = [
  ['an operation', 'GET /v1/workspaces?page=1', 200, { ...listing, headers: key }],
  ['an operation, HEAD', 'HEAD /v1/workspaces?page=1', 200, { ...listing, headers: key }],
  [
    'an operation, not modified',
    'GET /v1/workspaces?page=1',
    304,
    { ...listing, headers: { ...key, 'If-None-Match': '*' } },
  ],
  [
    'no credential',
    'GET /v1/workspaces?page=1',
    401,
    refusal('unauthenticated', 'list_workspaces', { answers: { 'www-authenticate': 'Bearer' } }),
  ],
  ['no credential, HEAD', 'HEAD /v1/workspaces?page=1', 401, listing],
  [
    'an expired key',
    'GET /v1/workspaces?page=1',
    401,
    refusal('token_expired', 'list_workspaces', bearer('expired')),
  ],
  [
    'a key of the other environment',
    'GET /v1/workspaces?page=1',
    401,
    refusal('wrong_environment', 'list_workspaces', {
      headers: { Authorization: 'Bearer wsk_live_x' },
    }),
  ],
  [
    'a missing scope',
    'GET /v1/workspaces?page=1',
    403,
    refusal('insufficient_scope', 'list_workspaces', bearer('narrow')),
  ],
  [
    'a suspended account',
    'GET /v1/workspaces?page=1',
    403,
    refusal('account_inactive', 'list_workspaces', bearer('suspended')),
  ],
  [
    "another owner's workspace",
    `GET ${profile}?page=1`,
    403,
    refusal('not_owner', 'get_workspace', bearer('foreign')),
  ],
  [
    'an unknown query name',
    `GET ${profile}?page=1`,
    400,
    refusal('invalid_input', 'get_workspace', { headers: key }),
  ],
  [
    'a flat URL without its workspace',
    'GET /v1/workspace?page=1',
    400,
    refusal('missing_workspace', 'get_workspace', { headers: key }),
  ],
  ['a malformed path', 'GET /v1/workspaces/%zz/workspace?page=1', 400, refusal('invalid_input')],
  ['an unknown path', 'GET /v1/nothing?page=1', 404, refusal('not_found')],
  ['another method', 'DELETE /v1/workspaces?page=1', 405, wrongMethod('GET, HEAD, POST')],
  [
    'a body that is too large',
    'POST /v1/workspaces?page=1',
    413,
    refusal('payload_too_large', 'create_workspace', {
      headers: { ...key, ...json, 'Content-Length': `${5 * 1024 * 1024 + 1}` },
    }),
  ],
  [
    'a body of another type',
    'POST /v1/workspaces?page=1',
    415,
    refusal('unsupported_media_type', 'create_workspace', { headers: key, body: 'name=x' }),
  ],
  [
    'a write that comes too late',
    `PUT ${profile}`,
    409,
    refusal('write_conflict', 'update_workspace', {
      headers: { ...key, ...json, 'If-Match': '"old"' },
      body: '{"name":"Other"}',
    }),
  ],
  [
    'a fault of the service',
    'GET /v1/templates',
    500,
    refusal('internal', 'list_templates', { headers: key }),
  ],
  [
    'an outage',
    'GET /v1/workspaces/{workspaceId}/website',
    503,
    refusal('unavailable', 'get_website', { headers: key, answers: { 'retry-after': '5' } }),
  ],
  [
    'a preflight',
    'OPTIONS /v1/workspaces?page=1',
    204,
    {
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
      answers: {
        'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
      },
    },
  ],
  ['the document', 'GET /v1/openapi.json?page=1', 200],
  ['the document, HEAD', 'HEAD /v1/openapi.json?page=1', 200],
  ['the document, another method', 'POST /v1/openapi.json', 405, wrongMethod('GET, HEAD')],
  ['the guide', 'GET /docs/?page=1', 200, { policy: docsPolicy }],
  ['a file of the guide', 'GET /docs/page.css?page=1', 200, { policy: docsPolicy }],
  ['the way to the guide', 'GET /?page=1', 302, { answers: { location: '/docs/' } }],
]

const onDashboard: Way[] = [
  ['an operation', 'GET /v1/workspaces?page=1', 200, { ...listing, headers: session }],
  ['no session', 'GET /api/session?page=1', 401, refusal('unauthenticated', 'get_session')],
  [
    'a key in place of a session',
    'GET /v1/workspaces?page=1',
    401,
    refusal('unauthenticated', 'list_workspaces', { headers: key }),
  ],
  [
    'a write from another site',
    'POST /api/keys?page=1',
    403,
    refusal('origin_refused', 'create_key', {
      headers: { ...session, ...json, Origin: 'https://evil.example' },
      body: '{}',
    }),
  ],
  [
    'a missing resource',
    'DELETE /api/keys/key_nobody',
    404,
    refusal('not_found', 'revoke_key', { headers: { ...session, Origin: '{dashboardUrl}' } }),
  ],
  ['a preflight', 'OPTIONS /api/keys?page=1', 405, wrongMethod('GET, HEAD, POST')],
  ['a flat URL', 'GET /v1/workspace?page=1', 404, refusal('not_found')],
  [
    'a page',
    'GET /?page=1',
    200,
    { policy: dashboardPolicy, answers: { 'referrer-policy': 'same-origin' } },
  ],
]

const onAdmin: Way[] = [
  [
    'an operation of another origin',
    'GET /v1/workspaces?page=1',
    404,
    refusal('not_found', undefined, { headers: key }),
  ],
  [
    'a page',
    'GET /?page=1',
    200,
    { policy: adminPolicy, answers: { 'referrer-policy': 'same-origin' } },
  ],
]

const everywhere: Way[] = [
  ['a sign of life', 'GET /healthz?page=1', 200],
  ['a sign of readiness', 'GET /readyz?page=1', 200],
  ['a sign of life, another method', 'POST /healthz', 405, wrongMethod('GET, HEAD')],
  ['an unknown page', 'GET /nothing?page=1', 404, refusal('not_found')],
  [
    'an expectation that is not known',
    'GET /healthz?page=1',
    200,
    { headers: { Expect: 'a miracle' } },
  ],
]

/** These close their connection. */
export const unreadable: Way[] = [
  ['bytes that are not HTTP', '', 400, refusal('invalid_input', undefined, { raw: 'A\r\n\r\n' })],
  [
    'a request without a Host',
    'GET /healthz?page=1',
    400,
    refusal('invalid_input', undefined, { raw: 'GET /healthz?page=1 HTTP/1.1\r\n\r\n' }),
  ],
]

export const origins: Record<OriginName, Way[]> = {
  api: [...onApi, ...everywhere],
  dashboard: [...onDashboard, ...everywhere],
  admin: [...onAdmin, ...everywhere],
}
export const originNames = Object.keys(origins) as OriginName[]
