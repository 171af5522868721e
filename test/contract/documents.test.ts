import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows, servedIds } from '../every_operation/operations.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://api.shop.example' } })
})
afterAll(() => service.close())

const read = (path: string) => service.api().get(path)

const publicIds = () =>
  [
    ...servedIds.filter((id) => ['management', 'experience'].includes(rows[id].surface)),
    'get_challenge',
  ].sort()

describe.each([
  ['/v1/openapi.json', 'application/json; charset=utf-8'],
  ['/v1/openapi-3.0.json', 'application/json; charset=utf-8'],
  ['/v1/postman.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('%s', (path, type) => {
  test('needs no credential, may be kept, and names the public address', async () => {
    const { status, headers, text } = await read(path)
    expect([status, headers['content-type']]).toEqual([200, type])
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(text).toContain('https://api.shop.example')
    const again = await read(path).set('If-None-Match', headers.etag as string)
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each(['br', 'gzip'])('is compressed as %s for those who ask', async (encoding) => {
    const plain = await read(path)
    const { headers, text } = await read(path).set('Accept-Encoding', encoding)
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding'])
    expect(headers.etag).toBe(`W/${plain.headers.etag}`)
    if (encoding === 'gzip') expect(text).toBe(plain.text)
    const known = await read(path).set({
      'Accept-Encoding': encoding,
      'If-None-Match': headers.etag!,
    })
    expect(known.status).toBe(304)
  })
})

describe('GET /v1/openapi-3.0.json', () => {
  test('is valid OpenAPI 3.0 with the same operations, fields and limits', async () => {
    const [older, newer] = [
      (await read('/v1/openapi-3.0.json')).body,
      (await read('/v1/openapi.json')).body,
    ]
    expect(older.openapi).toBe('3.0.3')
    const idsOf = (document: { paths: Record<string, Record<string, { operationId?: string }>> }) =>
      Object.values(document.paths)
        .flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
        .sort()
    expect(idsOf(older)).toEqual(publicIds())
    expect(Object.keys(older.components.schemas)).toEqual(Object.keys(newer.components.schemas))
    expect(older.components.schemas.ProductUpdate.properties.name.maxLength).toBe(
      newer.components.schemas.ProductUpdate.properties.name.maxLength,
    )
    const validator = new Validator()
    expect(await validator.validate(structuredClone(older))).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
  })

  test('says null by nullable, and has none of the words that came later', async () => {
    const { text, body } = await read('/v1/openapi-3.0.json')
    expect(text).not.toMatch(/"type":\[|"type":"null"|"const":|"contentEncoding":|"propertyNames":/)
    expect(body.components.schemas.Workspace.properties.billingPhone.nullable).toBe(true)
    const { logo } = body.components.schemas.PublicWebsite.properties
    expect(logo).toMatchObject({ nullable: true, allOf: [{ $ref: '#/components/schemas/Media' }] })
  })
})

interface Item {
  name: string
  item?: Item[]
  request?: { url: { raw: string } }
  event?: { script: { exec: string[] } }[]
}

const leaves = (items: Item[]): Item[] =>
  items.flatMap((item) => (item.item ? leaves(item.item) : [item]))

describe('GET /v1/postman.json', () => {
  test('has every operation once, each after what makes the variables that it sends', async () => {
    const { body } = await read('/v1/postman.json')
    const items = leaves(body.item)
    expect(items.map(({ name }) => name).sort()).toEqual(publicIds())
    const known = new Set(body.variable.map(({ key }: { key: string }) => key))
    for (const name of ['run', '$guid']) known.add(name)
    const unknown = items.flatMap(({ name, request, event }) => {
      const sent = [...JSON.stringify(request).matchAll(/\{\{([$\w]+)\}\}/g)].map(
        ([, each]) => each!,
      )
      const missing = sent.filter((each) => !known.has(each)).map((each) => `${name} ${each}`)
      const scripts = (event ?? []).flatMap(({ script }) => script.exec).join('\n')
      for (const [, each] of scripts.matchAll(/Variables\.set\('(\w+)'/g)) known.add(each!)
      return missing
    })
    expect(unknown).toEqual([])
  })
})

describe('GET /llms.txt', () => {
  test('lists every operation in a line, and the other documents', async () => {
    const { text } = await read('/llms.txt')
    expect(text).toMatch(/^# Vitrine\n\n> /)
    const listed = [...text.matchAll(/^- `[A-Z]+ [^`]+` \[(\w+)\]\(/gm)].map(([, id]) => id!)
    expect(listed.sort()).toEqual(publicIds())
    for (const path of ['/v1/openapi.json', '/v1/openapi-3.0.json', '/v1/postman.json', '/mcp'])
      expect(text).toContain(`https://api.shop.example${path}`)
  })
})
