import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { generate, type Mode } from '../../codegen/generate.ts'
import { code, names, outputs } from './outputs.ts'
import { withEdit, smallContract } from './small_contract.ts'

const banner = '// Generated from openapi.yaml by `npm run codegen`. Do not edit.\n'
const root = join(import.meta.dirname, '..', '..')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codegen-'))
  mkdirSync(join(folder, 'db', 'migrations'), { recursive: true })
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('generate', () => {
  test('writes code and documents, and reports the code as stale only after a change of the contract', async () => {
    const contractFile = join(folder, 'openapi.yaml')
    const outDir = join(folder, 'generated')
    writeFileSync(contractFile, smallContract)

    const stale = (name: string) => `${join(outDir, name)} is out of date: run \`npm run codegen\``
    const wrote = (files: readonly string[]) => ({
      ok: true,
      lines: files.map((name) => `${join(outDir, name)} written`),
    })
    const run = (mode: Mode) => generate({ contractFile, outDir, mode })
    const check = () => run('check')

    expect(await check()).toEqual({ ok: false, lines: [...code, 'migrations.ts'].map(stale) })
    expect(await run('all')).toEqual(wrote([...names, 'migrations.ts']))
    expect(readdirSync(outDir).sort()).toEqual([...names, 'migrations.ts'].sort())
    expect(await check()).toEqual({ ok: true, lines: [] })
    expect(await run('all')).toEqual(wrote([]))

    for (const name of ['operations.ts', 'tools.json']) writeFileSync(join(outDir, name), '')
    expect(await check()).toEqual({ ok: false, lines: [stale('operations.ts')] })
    expect(await run('documents')).toEqual(wrote(['tools.json']))
    expect(await run('all')).toEqual(wrote(['operations.ts']))

    for (const name of ['types.ts', 'enums.ts', 'guide.json']) writeFileSync(join(outDir, name), '')
    // A service runs without the types.
    expect(await run('service')).toEqual(wrote(['enums.ts', 'guide.json']))
    expect(await run('all')).toEqual(wrote(['types.ts']))

    writeFileSync(
      contractFile,
      withEdit(smallContract, "'204': { description: Signed out.", "'202': { description: Soon."),
    )
    expect(await check()).toEqual({
      ok: false,
      lines: ['types.ts', 'operations.ts'].map(stale),
    })
  })

  test('a broken contract is reported by file and line, and nothing is written', async () => {
    const contractFile = join(folder, 'broken.yaml')
    const outDir = join(folder, 'nothing')
    writeFileSync(
      contractFile,
      withEdit(smallContract, 'operationId: list_things', 'operationId: listThings'),
    )
    expect(await generate({ contractFile, outDir, mode: 'all' })).toEqual({
      ok: false,
      lines: ['broken.yaml:11 listThings: the operationId is not snake_case'],
    })
    expect(readdirSync(folder)).not.toContain('nothing')
  })

  test('the command exits with 1 and names the stale files', async () => {
    const [contractFile, outDir] = [join(folder, 'small.yaml'), join(folder, 'empty')]
    writeFileSync(contractFile, smallContract)
    const run = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const args = ['--import', 'tsx', 'codegen/main.ts', '--check', contractFile, outDir]
      execFile(process.execPath, args, { cwd: root }, (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      )
    })
    expect(run.code).toBe(1)
    expect(run.stderr.split('\n')[0]).toBe(
      `${join(outDir, 'types.ts')} is out of date: run \`npm run codegen\``,
    )
  })

  test('the output is the same for any order of the paths', async () => {
    const document = parseDocument(smallContract)
    const paths = document.get('paths') as { items: unknown[] }
    paths.items.reverse()
    const first = await outputs(smallContract)
    const reversed = await outputs(document.toString())
    expect(await outputs(smallContract)).toEqual(first)
    expect(reversed['operations.ts']).toBe(first['operations.ts'])
    expect(reversed['limits.ts']).toBe(first['limits.ts'])
    expect(reversed['roles.ts']).toBe(first['roles.ts'])
    expect(reversed['tools.json']).toBe(first['tools.json'])
  })
})

describe('the outputs of a small contract', () => {
  test('the table of operations states where each is served and what it requires', async () => {
    const { 'operations.ts': text } = await outputs(smallContract)
    expect(text).toContain(
      "  create_thing: { method: 'post', path: '/v1/workspaces/{workspaceId}/things', tag: 'things', surface: 'management', auth: 'accountKey', scope: 'things:write', status: 200, toolOnly: false, shortAnswer: false, summary: null, visitors: null, body: 'json', takesIdempotencyKey: true, revalidates: false, answersEtag: false, streams: false, location: null },\n",
    )
    expect(text).toContain(
      "  create_session: { method: 'post', path: '/api/session', tag: 'session', surface: 'dashboard', auth: 'none', scope: null, status: 204, toolOnly: false, shortAnswer: false, summary: null, visitors: null, body: 'json', takesIdempotencyKey: false, revalidates: false, answersEtag: false, streams: false, location: null },\n",
    )
    expect(text).toContain(
      "  get_self: { method: 'get', path: '/v1/whoami', tag: 'session', surface: 'management', auth: 'accountKey', scope: 'things:read', status: 200, toolOnly: true, shortAnswer: false, summary: null, visitors: null, body: null, takesIdempotencyKey: false, revalidates: false, answersEtag: false, streams: false, location: null },\n",
    )
    expect(text).toContain("  'things:write': 'Change things.',\n")
    expect(text).toContain('  invalid_input: { status: 400, meaning: "A field isn\'t valid." },\n')
    expect(text).toContain("export const secretFields = ['mailedCode', 'secret'] as const\n")
    expect(text).toContain('export const secretHeaders = [] as const\n')
  })

  test('a body that is neither JSON nor multipart is bytes', async () => {
    const json = `          application/json:
            schema: { $ref: '#/components/schemas/ThingCreate' }
            examples: { plain: { $ref: '#/components/examples/ThingCreate' } }`
    const raw = withEdit(smallContract, json, '          image/png: {}')
    const { 'operations.ts': text } = await outputs(
      withEdit(raw, 'x-tool: { idempotent: true }', 'x-tool: { none: true }'),
    )
    expect(text).toMatch(/^ {2}create_thing: .* body: 'bytes', /m)
  })

  test('limits are listed by schema and field, only for what callers send', async () => {
    const optional = withEdit(
      smallContract,
      '        weight: {',
      "        code: { description: Or none., anyOf: [{ $ref: '#/components/schemas/Code' }, { type: 'null' }] }\n        weight: {",
    )
    expect((await outputs(optional))['limits.ts']).toBe(`${banner}
/** The limits of what a body holds, by schema and field. */
export const limits = {
  Code: { maxLength: 6 },
  Id: { minLength: 1, maxLength: 160 },
  ThingCreate: {
    name: { maxLength: 20 },
    example: { maxLength: 30 },
    code: { maxLength: 6 },
    weight: { minimum: 0, maximum: 9 },
    parts: { maxItems: 3, items: { minLength: 1, maxLength: 160 } },
  },
} as const

/** The limits of the parameters that several operations share, by their name in the contract. */
export const parameterLimits = {
  WorkspaceId: { minLength: 1, maxLength: 160 },
} as const
`)
  })

  test('every enum has a list of its values', async () => {
    expect((await outputs(smallContract))['enums.ts']).toMatch(
      /^export const Kind = \['BIG', 'SMALL'\] as const$/m,
    )
  })

  test('each role may use the operations of its tags, and an owner all', async () => {
    expect((await outputs(smallContract))['roles.ts']).toBe(`${banner}
/** The roles of a workspace, that of its owner included. */
export const roles = ['owner', 'helper', 'guest'] as const
export type Role = (typeof roles)[number]

/** The tags of the operations that the dashboard serves inside a workspace. */
export type WorkspaceTag = 'things'

/** What each role may do in the dashboard, by the tag of an operation. */
export const powers: Readonly<Record<Role, readonly WorkspaceTag[]>> = {
  owner: ['things'],
  helper: ['things'],
  guest: [],
}
`)
  })

  test('types include the validator defaults, in bodies and in queries', async () => {
    const { 'types.ts': text } = await outputs(smallContract)
    expect(text).toMatch(
      /^\/\/ Generated from openapi\.yaml by `npm run codegen`\. Do not edit\.\n/,
    )
    expect(text).toMatch(/^ {12}example: string;$/m)
    expect(text).toMatch(/^ {12}weight\?: number;$/m)
    expect(text).toMatch(/^ {4}list_things: "page";$/m)
    expect(text).toMatch(/^ {4}create_thing: never;$/m)
  })

  test('a tool takes path parameters at the top, query parameters as query, the body as data', async () => {
    const tools = JSON.parse((await outputs(smallContract))['tools.json'])
    const id = { type: 'string' }
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'create_thing',
      'delete_thing',
      'get_self',
      'list_things',
    ])
    const [create, remove, self, list] = tools
    expect(create).toMatchObject({
      title: 'Create a thing',
      description: 'Adds a thing to the workspace.',
      inputSchema: {
        required: ['workspaceId', 'data'],
        properties: {
          data: {
            properties: {
              name: { type: 'string', maxLength: 20, description: 'Shown to all.' },
              parts: { type: 'array', maxItems: 3, items: id },
            },
          },
        },
      },
      annotations: {
        title: 'Create a thing',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    })
    expect(Object.keys(create.inputSchema.properties)).toEqual(['workspaceId', 'data'])
    // A property may share its name with a dropped keyword.
    expect(create.inputSchema.properties.data.properties.example).toEqual({
      type: 'string',
      maxLength: 30,
      description: 'One of them.',
    })
    expect(remove.inputSchema).toEqual({
      type: 'object',
      properties: { workspaceId: id, id: { ...id, description: 'From list_things.' } },
      required: ['workspaceId', 'id'],
      additionalProperties: false,
    })
    expect(self.inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
    expect(list.inputSchema.required).toEqual(['workspaceId'])
    expect(list.inputSchema.properties.query).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer', maximum: 1000 },
        kind: {
          type: 'array',
          maxItems: 2,
          items: { type: 'string', enum: ['BIG', 'SMALL'] },
          description: 'Only these kinds.',
        },
      },
      default: {},
      additionalProperties: false,
    })
  })

  test('the public document lists the codes of each refusal, in the words of its operation', async () => {
    const text = withEdit(
      smallContract,
      '{ idempotent: true }',
      '{}\n      x-codes: [quota_exceeded]',
    )
    const { paths, components } = JSON.parse((await outputs(text))['openapi.public.json'])
    const refusal = (path: string, method: string, status: string) => {
      const { $ref } = paths[`/v1/workspaces/{workspaceId}/${path}`][method].responses[status]
      const { description, content } = components.responses[$ref.split('/').at(-1)]
      return { description, examples: content['application/json'].examples }
    }
    expect(refusal('things', 'get', '403')).toEqual({
      description: 'Refused. Codes: `insufficient_scope`.',
      examples: {
        insufficient_scope: {
          value: { status: 403, code: 'insufficient_scope', message: 'You lack things:read.' },
        },
      },
    })
    expect(refusal('things/{id}', 'delete', '404')).toEqual({
      description: 'Refused. Codes: `not_found`.',
      examples: {
        not_found: {
          value: { status: 404, code: 'not_found', message: 'There is no such thing.' },
        },
      },
    })
    const limits = (method: string) => Object.keys(refusal('things', method, '429').examples)
    expect(limits('get')).toEqual(['rate_limited'])
    expect(limits('post')).toEqual(['rate_limited', 'quota_exceeded'])
  })

  test('the public document contains only what its operations use, and the scopes', async () => {
    const document = JSON.parse((await outputs(smallContract))['openapi.public.json'])
    expect(Object.keys(document.paths)).toEqual([
      '/v1/workspaces/{workspaceId}/things',
      '/v1/workspaces/{workspaceId}/things/{id}',
    ])
    expect(document.tags).toEqual([{ name: 'things' }])
    expect(document.servers).toEqual([{ url: '/' }])
    expect(Object.keys(document.components.securitySchemes)).toEqual(['accountKey'])
    expect(Object.keys(document.components.schemas)).toEqual([
      'Id',
      'Kind',
      'Deleted',
      'Thing',
      'ThingCreate',
      'Scope',
      'ErrorCode',
      'ApiError',
    ])
    expect(Object.keys(document.components.examples)).toEqual([
      'ThingCreate',
      'invalid_input',
      'unauthenticated',
      'payload_too_large',
      'unsupported_media_type',
      'rate_limited',
      'unavailable',
      'internal',
    ])
  })
})
