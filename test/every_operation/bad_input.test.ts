import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { givenScene, type Scene } from './fixtures.ts'
import { declarationOf, rows, servedIds } from './operations.ts'
import { startService, type TestService } from '../kit/service.ts'
import { exampleOf, rawCallsIn, type RawCall, unknownField } from './raw_calls.ts'
import { allCases, inTurn } from './turns.ts'

const withBody = servedIds.filter((id) => rows[id].body === 'json')
const withoutBody = servedIds.filter((id) => rows[id].body === undefined)
const unstorable = 'Contains a character that cannot be stored.'
const malformed = { body: 'Not well-formed JSON in UTF-8.' }

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
})
afterAll(() => service.close())

const { attempt } = rawCallsIn(() => scene)

/** Each operation's answer to the same input. */
async function answersOf(ids: OperationId[], input: RawCall): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const id of ids) {
    const { status, error } = await attempt(id, input)
    answers[id] = [status, error?.code, error?.fieldErrors]
  }
  return answers
}

/** Cases with their numbers, by which they take turns among the operations. */
const numbered = <T extends unknown[]>(cases: T[]): [...T, number: number][] =>
  cases.map((one, number) => [...one, number])

const allOf = (ids: OperationId[], answer: unknown) =>
  Object.fromEntries(ids.map((id) => [id, answer]))

const refusedBodies: [title: string, body: string | Buffer, fieldErrors: object][] = [
  ['null', 'null', { body: 'Must be an object.' }],
  ['a list', '[]', { body: 'Must be an object.' }],
  ['a string', '"text"', { body: 'Must be an object.' }],
  ['a number beyond every number', '1e999', { body: 'Must be an object.' }],
  ['half an object', '{"name":', malformed],
  ['two values', '{}{}', malformed],
  ['white space alone', ' \n', malformed],
  ['a NUL byte', '{"x":"\0"}', malformed],
  ['bytes that are not UTF-8', Buffer.from('{"x":"\xff"}', 'latin1'), malformed],
  ['UTF-16', Buffer.from('{"x":1}', 'utf16le'), malformed],
  [
    'a list of lists 10,000 deep',
    '['.repeat(10_000) + ']'.repeat(10_000),
    { body: 'Nested deeper than 64 levels.' },
  ],
  ['__proto__', '{"__proto__":{"isStaff":true}}', malformed],
  ['an escaped __proto__', '{"__pr\\u006fto__":{"isStaff":true}}', malformed],
  ['a deep __proto__', '{"x":[{"__proto__":{"isStaff":true}}]}', malformed],
  ['constructor.prototype', '{"constructor":{"prototype":{"isStaff":true}}}', malformed],
  ['an escaped NUL', '{"x":"\\u0000"}', { x: unstorable }],
  ['an escaped NUL in a name', '{"\\u0000":1}', { body: unstorable }],
  ['a lone surrogate', '{"x":[{"y":"\\ud800"}]}', { 'x.0.y': unstorable }],
  ['surrogates in the wrong order', '{"x":"\\udc00\\ud800"}', { x: unstorable }],
]

describe('every operation without a body', () => {
  const unwanted = { body: 'This operation takes no body; send none or an empty object.' }
  const refused: [title: string, body: string | Buffer, fieldErrors: object][] = [
    ['half an object', '{', malformed],
    ['bytes that are not JSON', Buffer.from([0xff, 0x00, 0x1f, 0x8b]), malformed],
    ['a field', '{"force":true}', unwanted],
    ['null', 'null', unwanted],
    ['a list', '[]', unwanted],
    ['more than it looks at', `{"x":"${'x'.repeat(2000)}"}`, unwanted],
  ]

  test.for(numbered(refused))(
    'refuses %s with 400, before anything is done',
    async ([, body, errors, number]) => {
      const ids = inTurn(withoutBody, number)
      expect(await answersOf(ids, { body })).toEqual(allOf(ids, [400, 'invalid_input', errors]))
    },
  )

  test('takes an empty object for none', async () => {
    const reads = withoutBody.filter((id) => rows[id].method === 'get')
    for (const body of ['{}', ' { }\n'])
      expect(await answersOf(reads, { body })).toEqual(await answersOf(reads, { body: '' }))
    expect(await answersOf(['delete_tag'], { body: '{}' })).toEqual({
      delete_tag: [404, 'not_found', undefined],
    })
  })
})

/**
 * Records the expressions of contract and formats that are tried on megabytes of text: those that
 * judge a whole value, from `^` on. The others look for one thing, in one pass.
 */
function patternsTried() {
  const sources = new Set<string>()
  const original = Object.getOwnPropertyDescriptor(RegExp.prototype, 'test')!
  function value(this: RegExp, text: string): boolean {
    if (text.length > 1_000_000 && this.source.startsWith('^')) sources.add(this.source)
    return (original.value as typeof value).call(this, text)
  }
  Object.defineProperty(RegExp.prototype, 'test', { ...original, value })
  return {
    end() {
      Object.defineProperty(RegExp.prototype, 'test', original)
      return [...sources]
    },
  }
}

describe('every operation with a body', () => {
  test.for(numbered(refusedBodies))('refuses %s with 400', async ([, body, errors, number]) => {
    const ids = inTurn(withBody, number)
    expect(await answersOf(ids, { body })).toEqual(allOf(ids, [400, 'invalid_input', errors]))
  })

  test('refuses an empty body with 400', async () => {
    const requiringBody = withBody.filter((id) => declarationOf(id).bodyRequired)
    const refusals = allOf(requiringBody, [400, 'invalid_input', { body: 'Required.' }])
    expect(await answersOf(requiringBody, { body: '' })).toEqual(refusals)
  })

  test.each([
    'surprise',
    'constructor',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'Name',
    '',
    'a.b',
    'a/b',
    'ä',
  ])('refuses the unknown field "%s" by its name', async (name) => {
    const [id] = withBody as [OperationId]
    for (const each of name === 'surprise' ? withBody : [id]) {
      const body = JSON.stringify({ ...JSON.parse(String(exampleOf(each))), [name]: 1 })
      const { status, error } = await attempt(each, { body })
      expect([each, status, error?.fieldErrors]).toEqual([
        each,
        400,
        { [name]: expect.stringMatching(unknownField) },
      ])
    }
  })

  test('refuses deeply nested lists and overflowing numbers in every field', async () => {
    const values = ['['.repeat(60) + ']'.repeat(60), '1e999', '-1e400', '9'.repeat(400)]
    let turn = 0
    for (const id of withBody)
      for (const name of Object.keys(JSON.parse(String(exampleOf(id)))))
        for (const value of allCases ? values : [values[turn++ % values.length]!]) {
          const { status, error } = await attempt(id, { body: `{"${name}":${value}}` })
          const fields = Object.keys(error?.fieldErrors ?? {}).map((field) => field.split('.')[0])
          expect([id, status, error?.code]).toEqual([id, 400, 'invalid_input'])
          expect(fields).toContain(name)
        }
  })

  const otherTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/problem+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8x',
    '',
  ].map((type): [string] => [type])
  test.for(numbered(otherTypes))(
    'refuses the content type "%s" with 415',
    async ([type, number]) => {
      const ids = inTurn(withBody, number)
      const refusals = allOf(ids, [415, 'unsupported_media_type', undefined])
      expect(await answersOf(ids, { headers: { 'Content-Type': type } })).toEqual(refusals)
    },
  )

  test('refuses a content encoding with 415', async () => {
    const refusals = allOf(withBody, [415, 'unsupported_media_type', undefined])
    expect(await answersOf(withBody, { headers: { 'Content-Encoding': 'gzip' } })).toEqual(refusals)
  })

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
  ])('accepts the content type %s, and a byte order mark', async (type) => {
    const headers = { 'Content-Type': type, 'Content-Encoding': 'identity' }
    const { error } = await attempt('create_workspace', { headers, body: '\ufeff{"x":1}' })
    expect(error.fieldErrors.x).toMatch(unknownField)
  })

  test.each(['"text"', '5', 'true'])('refuses %s with a charset, too', async (body) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    const ids = inTurn(withBody, body.length)
    const refusals = allOf(ids, [400, 'invalid_input', { body: 'Must be an object.' }])
    expect(await answersOf(ids, { headers, body })).toEqual(refusals)
  })

  test('answers a body full of errors briefly and with 400, and tries no pattern on overlong text', async () => {
    const names = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`
    const list = (item: string, count: number) => `[${`${item},`.repeat(count)}${item}]`
    const bodies = [
      ['create_session', names(6_000)],
      ['create_key', `{"name":"x","expiresInDays":1,"scopes":${list('1', 19_000)}}`],
      ['create_key', `{"name":"x","expiresInDays":1,"scopes":${list('"ab"', 12_000)}}`],
      ['create_workspace', names(19_000)],
      ['create_workspace', names(400_000)],
      ['update_website', `{"socialLinks":${list('{}', 19_000)}}`],
      ['update_website', `{"socialLinks":${list('{}', 1_700_000)}}`],
      ['update_website', `{"contactEmail":"${'a@'.repeat(2_600_000)}"}`],
      ['update_website', `{"socialLinks":["https://${'a'.repeat(5_200_000)} "]}`],
      // A letter of two bytes makes the engine remember more for each character.
      ['update_website', `{"theme":{"font":"ı${'a'.repeat(5_200_000)}!"}}`],
      ['update_workspace', `{"billingPhone":"+${'1'.repeat(5_200_000)}"}`],
    ] as const
    const tried = patternsTried()
    for (const [id, body] of bodies) {
      const { status, error, headers } = await attempt(id, { body })
      const { err } = service.logged().at(-1) ?? {}
      expect([id, status, error.code, err]).toEqual([id, 400, 'invalid_input', undefined])
      expect(Number(headers['content-length'])).toBeLessThan(64 * 1024)
    }
    expect(tried.end()).toEqual([])
  })
})

/** The refusal of an unknown query name: it lists the known ones. */
function unknownQueryOf(id: OperationId): string {
  const known = declarationOf(id).parameters.filter((parameter) => parameter.in === 'query')
  const names = known.map((parameter) => parameter.name).join(', ')
  return names === '' ? 'Unknown parameter.' : `Unknown parameter; known are ${names}.`
}

describe('every operation', () => {
  const unknownNames = ['surprise', '__proto__', 'constructor', 'toString', 'page[]', 'ä']
  test.for(numbered(unknownNames.map((name): [string] => [name])))(
    'refuses the unknown query name "%s" by its name',
    async ([name, number]) => {
      const search = `?${encodeURIComponent(name)}=1`
      const ids = inTurn(servedIds, number)
      const refusals = ids.map((id) => {
        const fieldErrors = Object.fromEntries([[name, unknownQueryOf(id)]])
        return allOf([id], [400, 'invalid_input', fieldErrors])
      })
      const expected = Object.assign({}, ...refusals) as object
      expect(await answersOf(ids, { search })).toEqual(expected)
    },
  )

  const queries: [search: string, fieldErrors: object][] = [
    ['?x=%zz', { x: 'Not valid percent-encoding.' }],
    ['?x=%ff', { x: 'Not valid percent-encoding.' }],
    ['?%zz=1', { query: 'Not valid percent-encoding.' }],
    ['?x=%00', { x: unstorable }],
    ['?x=1&x=2', { x: 'Send it only once.' }],
    ['?__proto__=1&__proto__=2', Object.fromEntries([['__proto__', 'Send it only once.']])],
  ]
  test.for(numbered(queries))('refuses the query %s', async ([search, fieldErrors, number]) => {
    const ids = inTurn(servedIds, number)
    const refusals = allOf(ids, [400, 'invalid_input', fieldErrors])
    expect(await answersOf(ids, { search })).toEqual(refusals)
  })

  test.each([
    '',
    '0',
    '-1',
    '1.0',
    '1e1',
    '0x1',
    '%201',
    '%2B1',
    'NaN',
    'Infinity',
    'one',
    '[1]',
    '2147483648',
    '9'.repeat(400),
  ])('refuses the page "%s"', async (page) => {
    const { status, error } = await attempt('list_workspaces', { search: `?page=${page}` })
    expect([status, Object.keys(error.fieldErrors)]).toEqual([400, ['page']])
  })

  test.each([
    ['%zz', 'Not valid percent-encoding.'],
    ['%ff', 'Not valid percent-encoding.'],
    ['%00', 'Contains a character that cannot be stored.'],
    ['a'.repeat(161), 'At most 160 characters.'],
  ])('refuses the path parameter %s before checking the credential', async (id, sentence) => {
    for (const path of [`/v1/workspaces/${id}/website`, `/v1/workspaces/${id}/workspace`]) {
      const { status, body } = await service.api().get(path)
      expect([status, body.fieldErrors]).toEqual([400, { workspaceId: sentence }])
    }
    const { status, body } = await service.dashboard().delete(`/api/keys/${id}`)
    expect([status, body.fieldErrors]).toEqual([400, { id: sentence }])
    const flat = await service.api().get(`/v1/tags/${id}`)
    expect([flat.status, flat.body.fieldErrors]).toEqual([400, { id: sentence }])
  })

  test.each(['/docs/%zz', '/%zz', '/v1/%zz', '/v1/nothing/%ff'])(
    'a malformed path is 400 even where nothing is served: %s',
    async (path) => {
      const { status, body } = await service.api().get(path)
      expect([status, body.code]).toEqual([400, 'invalid_input'])
    },
  )

  test.each(['/checkout/%00', '/consent/%00', '/%00'])(
    'a path with a NUL leads to no page: %s',
    async (path) => {
      const { status, body } = await service.dashboard().get(path)
      expect([status, body.fieldErrors]).toEqual([
        400,
        { path: 'Contains a character that cannot be stored.' },
      ])
    },
  )

  test.each([{ Range: 'bytes=99999999-' }, { 'If-Match': '"old"' }, { Range: 'bytes=x' }])(
    'a conditional request for a file is not a server error: %j',
    async (headers) => {
      const { status } = await service.api().get('/docs/page.css').set(headers)
      expect(status).toBeLessThan(500)
    },
  )

  test.each(['é', 'a b', 'x'.repeat(256)])('refuses the Idempotency-Key "%s"', async (value) => {
    const { status, error } = await attempt('create_workspace', {
      headers: { 'Idempotency-Key': value },
    })
    expect([status, Object.keys(error.fieldErrors)]).toEqual([400, ['Idempotency-Key']])
  })

  test('refuses any bad input with the error object, never with a server error', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const values = fc.oneof(json, fc.constantFrom('\0', '\ud800', 1e308, -0, 2 ** 53, '', ' '))
    const bodyFor = (id: OperationId) => {
      const example = declarationOf(id).bodyExamples[0] ?? {}
      const fields = Object.fromEntries(Object.keys(example).map((name) => [name, values]))
      const near = fc.record(fields, { requiredKeys: [] }).map((some) => ({ ...example, ...some }))
      return fc.oneof(near, json).map((body) => JSON.stringify(body))
    }
    const query = fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom('page', 'pageSize', 'workspaceId'), fc.string()),
        fc.oneof(
          fc.integer().map(String),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('%', '%00'),
        ),
      ),
      { maxLength: 3 },
    )
    const escaped = (text: string) =>
      text.startsWith('%') ? text : encodeURIComponent(text.toWellFormed())
    // Signing out would make every later call a 401.
    const repeatable = servedIds.filter((id) => !/^delete_(staff_)?session$/.test(id))
    const call = fc.constantFrom(...repeatable).chain((id) =>
      fc.record({
        id: fc.constant(id),
        body: rows[id].body === 'json' ? bodyFor(id) : fc.constant(''),
        search: query.map((pairs) =>
          pairs.length === 0
            ? ''
            : `?${pairs.map((pair) => pair.map(escaped).join('=')).join('&')}`,
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(call, async ({ id, body, search }) => {
        const { status, error } = await attempt(id, { body, search })
        expect(status).toBeLessThan(500)
        if (error) expect(error).toMatchObject({ status, code: expect.any(String) })
      }),
      { seed: 20_260_105, numRuns: 300 },
    )
  })
})
