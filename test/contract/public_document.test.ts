import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../src/generated/operations.ts'
import { rows, servedIds } from '../every_operation/operations.ts'
import { type Client, startService, type TestService } from '../kit/service.ts'

const { devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { devDependencies: Record<string, string> }

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('GET /v1/openapi.json', () => {
  const read = (client: Client) => client.get('/v1/openapi.json')

  test('shows the public operations without a credential, each with its scope', async () => {
    const { status, headers, body } = await read(service.api())
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=300')
    const entries = Object.values<object>(body.paths).flatMap((item) =>
      Object.values<{ operationId?: string; security?: object[] }>(item as never).flatMap(
        ({ operationId, security = [] }) =>
          operationId ? [[operationId, security.filter(isAlone)] as const] : [],
      ),
    )
    const surfaces = ['management', 'experience']
    const expected = servedIds.filter((id) => surfaces.includes(rows[id].surface))
    expect(Object.fromEntries(entries)).toEqual({
      ...Object.fromEntries(
        expected.map((id) => {
          const { auth, scope, surface } = rows[id]
          const key = { accountKey: [scope] }
          const own = surface === 'experience' ? [key, { publishableKey: [] }] : [key]
          return [id, auth === 'none' ? [] : own]
        }),
      ),
      // A page of the site fetches it, without a key.
      get_challenge: [],
    })
  })

  test('names the scopes as a closed enum, each with its sentence', async () => {
    const { body } = await read(service.api())
    const { type, enum: names, description } = body.components.schemas.Scope
    expect([type, names]).toEqual(['string', Object.keys(scopes)])
    for (const [name, sentence] of Object.entries(scopes))
      expect(description).toContain(`- \`${name}\`: ${sentence}\n`)
    const used = new Set(servedIds.map((id) => rows[id].scope).filter((scope) => scope !== null))
    expect(names).toEqual(expect.arrayContaining([...used]))
  })

  test('is OpenAPI 3.1 and self-contained', async () => {
    const { text } = await read(service.api())
    const document = JSON.parse(text)
    expect(document.openapi).toBe('3.1.0')
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((reference) => valueAt(document, reference) === undefined)).toEqual([])
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('names the public address of the service', async () => {
    const { body } = await read(service.api())
    expect(body.servers).toEqual([{ url: service.config.baseUrl }])
    const limited = await startService({ env: { BASE_URL: 'https://api.shop.example' } })
    const elsewhere = await read(limited.api())
    await limited.close()
    expect(elsewhere.body.servers).toEqual([{ url: 'https://api.shop.example' }])
  })

  test('says where its people and its reference are', async () => {
    const { body } = await read(service.api())
    const { baseUrl, dashboardUrl } = service.config
    expect(body.info.contact).toEqual({ name: 'The operating team', url: `${baseUrl}/contact` })
    expect(body.externalDocs.url).toBe(`${baseUrl}/docs/`)
    const contact = await service.api().get('/contact')
    expect([contact.status, contact.headers.location]).toEqual([302, `${dashboardUrl}/contact`])
  })

  test('names the tokens of visitors as credentials beside the key', async () => {
    const { paths, components } = (await read(service.api())).body
    const { security } = paths['/v1/workspaces/{workspaceId}/experience/chat/product'].post
    expect(security).toEqual([
      { accountKey: ['ai:write'] },
      { accountKey: ['ai:write'], visitorToken: [] },
      { accountKey: ['ai:write'], guestToken: [] },
      { publishableKey: [] },
      { publishableKey: [], visitorToken: [] },
      { publishableKey: [], guestToken: [] },
    ])
    expect(components.securitySchemes.visitorToken.name).toBe('X-Visitor-Token')
  })

  test('declares the limits on every answer to a key, and names responses briefly', async () => {
    const { responses } = (await read(service.api())).body.components
    for (const [name, { headers }] of Object.entries<{ headers: object }>(responses)) {
      expect([name, Object.keys(headers)]).toEqual([
        name,
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
      ])
      expect(name.length).toBeLessThanOrEqual(40)
    }
  })

  test('names the challenge, the widget that solves it and its version', async () => {
    const { body } = await read(service.api())
    const widget = `altcha ${devDependencies.altcha}`
    expect(body.paths['/challenge'].get.description).toContain(widget)
    expect(body.info.description).toContain(widget)
    expect(body.components.schemas.ChallengeToken.description).toContain(widget)
    expect(body.components.examples.challenge_required.value.message).toContain(widget)
  })

  test('is not sent again to a client that has it', async () => {
    const { etag } = (await read(service.api())).headers
    expect(etag).toMatch(/^"[^"]+"$/)
    const { status, text } = await read(service.api()).set('If-None-Match', etag!)
    expect([status, text]).toEqual([304, ''])
  })

  test('is served only at the API', async () => {
    for (const origin of ['dashboard', 'admin'] as const)
      expect((await request(service.urls[origin]).get('/v1/openapi.json')).status).toBe(404)
  })
})

/** Without the credential of a visitor beside it. */
const isAlone = (requirement: object) =>
  !('visitorToken' in requirement) && !('guestToken' in requirement)

function valueAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>(
    (node, name) => (node as Record<string, unknown> | undefined)?.[name],
    document,
  )
}
