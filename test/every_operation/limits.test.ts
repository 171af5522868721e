import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import {
  anImage,
  multipart,
  aCustomersCode,
  aMailedCode,
  aStaffCode,
  credentialOf,
  givenScene,
  ownOrigin,
  type Scene,
  send,
  validCall,
} from './fixtures.ts'
import {
  type Call,
  type Parameter,
  type Schema,
  declared,
  mainWayTo,
  resolved,
  rows,
  servedIds,
} from './operations.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer } from '../kit/visitors.ts'

let service: TestService
let shared: Scene
beforeAll(async () => {
  service = await startService()
  shared = await givenScene(service)
})
afterAll(() => service.close())

type Fields = Record<string, Schema>

interface Limits {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Fields
  required?: string[]
  additionalProperties?: boolean | Schema
  minProperties?: number
  maxProperties?: number
  propertyNames?: Schema
}

const tested = new Set([
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
])
const saysNothing = new Set(['title', 'description', 'default', 'examples', 'contentEncoding'])

/** A schema, its reference followed. A keyword that is tested nowhere here is not passed over. */
function limitsOf(schema: Schema): Limits {
  const limits = resolved<Schema>(schema)
  const unknown = Object.keys(limits).filter((name) => !tested.has(name) && !saysNothing.has(name))
  if (unknown.length > 0) throw new Error(`The limits tests know no ${unknown.join(', ')}.`)
  return limits as Limits
}

let counter = 0

/** For each pattern of the contract, a text of a given length that has its form. */
const forms: Record<string, (length: number) => string> = {
  '^\\+[1-9][0-9]{6,14}$': (length) => '+'.padEnd(length, '5'),
  '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$': (length) =>
    'x' + (counter++).toString(36).padStart(length - 1, '0'),
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': (length) => 'abcdefgh-'.repeat(8).slice(0, length),
  '^[0-9]{6}$': (length) => '1'.repeat(length),
  '^[0-9]{1,4}$': (length) => '1'.repeat(length),
  '^#[0-9a-fA-F]{6}$': (length) => '#'.padEnd(length, 'a'),
  '^[\\p{L}\\p{N} -]+$': (length) => (length > 0 ? '𝒜' + 'a'.repeat(length - 1) : ''),
  '^\\P{Cc}*$': textOf,
  '^https?://[^\\s]+$': (length) => 'https://x.example/'.padEnd(length, 'a'),
  '^[\\x21-\\x7e]+$': (length) => 'k'.repeat(length),
  '^(ACTIVE|INACTIVE|DELETED)(,(ACTIVE|INACTIVE|DELETED)){0,2}$': (length) =>
    'ACTIVE,INACTIVE,DELETED'.padEnd(length, ','),
  '^(data:image/(jpeg|png|webp|gif|avif);base64,)?[A-Za-z0-9+/]+={0,2}$': (length) =>
    'A'.repeat(length),
  // Reports begin within 400 days of today: yesterday, wherever the day ends.
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$': (length) =>
    new Date(Date.now() - 24 * 3600_000).toISOString().slice(0, 10).padEnd(length, '0'),
}

const formats: Record<string, (length: number) => string> = { email: addressOf, password: textOf }

/** A text of so many code points, one more in UTF-16: a limit counts the former. */
function textOf(length: number): string {
  return length > 0 ? '😀' + 'x'.repeat(length - 1) : ''
}

/** A new email address of exactly this length, its labels no longer than DNS has them. */
function addressOf(length: number): string {
  if (length < 20) return 'nobody@example.com'.slice(-length)
  const local = `a${(counter++).toString(36)}`
  if (length <= 80) return `${local.padEnd(length - 12, 'a')}@example.com`
  const labels: string[] = []
  for (let rest = length - 69; rest > 0; rest -= labels.at(-1)!.length + 1)
    labels.push('a'.repeat(rest === 64 ? 62 : Math.min(rest, 63)))
  return `${local.padEnd(64, 'a')}@${labels.join('.')}.com`
}

function stringOf({ pattern, format }: Limits, length: number): string {
  const make = pattern !== undefined ? forms[pattern] : format ? formats[format] : textOf
  if (!make) throw new Error(`Add a text that has the form ${pattern ?? format}.`)
  return make(length)
}

/** A text within the bounds that does not have the form. */
function misfit({ pattern = '', minLength = 1, maxLength = 1 }: Limits): string {
  const candidates = ['!', 'a', 'é', ' ', '\u0007'].map((letter) =>
    letter.repeat(Math.max(minLength, 1)),
  )
  const form = new RegExp(pattern, 'u')
  const found = candidates.find((text) => text.length <= maxLength && !form.test(text))
  if (found === undefined) throw new Error(`Every candidate has the form ${pattern}.`)
  return found
}

function typesOf({ type = [] }: Limits): string[] {
  return typeof type === 'string' ? [type] : type
}

/** So many different values of a list's items, as far as there are any. */
function listOf({ items = {} }: Limits, length: number): unknown[] {
  const item = limitsOf(items)
  const shortest = item.pattern === undefined ? 1 : 20
  return Array.from({ length }, (_none, index) => {
    if (item.enum) return item.enum[index % item.enum.length]
    return item.maxLength ? stringOf(item, shortest + index) : sampleOf(items)
  })
}

/** A value that the schema takes, with every field there is. */
function sampleOf(schema: Schema): unknown {
  const limits = limitsOf(schema)
  if (limits.const !== undefined) return limits.const
  if (limits.enum) return limits.enum[0]
  const [type = 'nothing'] = typesOf(limits)
  const make = samples[type]
  if (!make) throw new Error(`There is no sample of ${type}.`)
  return make(limits)
}

const samples: Record<string, (limits: Limits) => unknown> = {
  string: (limits) => {
    const { pattern, format, minLength = 1, maxLength = 1 } = limits
    return stringOf(limits, pattern ? maxLength : format === 'email' ? 30 : minLength || 1)
  },
  integer: ({ minimum = 0 }) => minimum,
  number: ({ minimum = 0 }) => minimum,
  boolean: () => true,
  array: (limits) => listOf(limits, Math.max(limits.minItems ?? 0, 1)),
  object: (limits) =>
    Object.fromEntries(fieldsOf(limits).map(([name, field]) => [name, sampleOf(field)])),
}

/** The fields of an object; a map has one that is named after what it maps. */
function fieldsOf({ properties = {}, additionalProperties: map }: Limits): [string, Schema][] {
  return Object.entries(typeof map === 'object' ? { ...properties, mapped: map } : properties)
}

/** Stands for a field that is left out. */
const absent = Symbol('absent')

/** One value of one field. */
interface Edge {
  at: string[]
  what: string
  value: unknown
}

/** Every value that is just past one limit of a schema. Parameters have no types on the wire. */
function pastLimits(schema: Schema, at: string[], onWire = false): Edge[] {
  const limits = limitsOf(schema)
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, enum: list } = limits
  const edges: Edge[] = []
  const past = (what: string, value: unknown, where = at) => edges.push({ at: where, what, value })

  for (const value of otherTypes(limits, onWire)) past(`being ${JSON.stringify(value)}`, value)
  if (list) past('being none of its values', 'NO_SUCH_VALUE')
  if (minLength > 0) past('being too short', stringOf(limits, minLength - 1))
  if (maxLength !== undefined) past('being too long', stringOf(limits, maxLength + 1))
  if (limits.pattern !== undefined) past('not having its form', misfit(limits))
  if (limits.format === 'email') past('being no address', 'nobody')
  if (minimum !== undefined) past('being too small', minimum - 1)
  if (maximum !== undefined) past('being too large', maximum + 1)
  if (minItems > 0) past('having too few items', listOf(limits, minItems - 1))
  if (maxItems !== undefined) past('having too many items', listOf(limits, maxItems + 1))
  if (limits.uniqueItems) past('repeating an item', [...listOf(limits, 1), ...listOf(limits, 1)])
  if (limits.items) edges.push(...pastLimits(limits.items, [...at, '0']))
  if (limits.minProperties) past('having too few fields', {})
  if (limits.maxProperties !== undefined)
    past('having too many fields', mapOf(limits, limits.maxProperties + 1))
  if (limits.propertyNames) {
    const { maxLength: longest = 0 } = limitsOf(limits.propertyNames)
    past('having a name that is too long', { ['n'.repeat(longest + 1)]: true })
    past('having a name that is empty', { '': true })
  }
  if (limits.additionalProperties === false) past('being unknown', 'x', [...at, 'unknownField'])
  for (const name of limits.required ?? []) past('being left out', absent, [...at, name])
  for (const [name, field] of fieldsOf(limits)) edges.push(...pastLimits(field, [...at, name]))
  return edges
}

function otherTypes(limits: Limits, onWire: boolean): unknown[] {
  const types = typesOf(limits)
  if (onWire) return types[0] === 'integer' ? ['x', '', '1.5', '1e1'] : []
  const values: [unknown, string[]][] = [
    ['x', ['string']],
    [1.5, ['number']],
    [true, ['boolean']],
    [[], ['array']],
    [{}, ['object']],
    [null, ['null']],
  ]
  return values.filter(([, of]) => !of.some((type) => types.includes(type))).map(([value]) => value)
}

function mapOf({ additionalProperties: map }: Limits, size: number): unknown {
  const names = Array.from({ length: size }, (_none, index) => `name${index}`)
  return Object.fromEntries(names.map((name) => [name, sampleOf(map as Schema)]))
}

/** Every value that is just within a limit of a schema. */
function atLimits(schema: Schema, at: string[]): Edge[] {
  const limits = limitsOf(schema)
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, enum: list } = limits
  const edges: Edge[] = []
  const within = (what: string, value: unknown) => edges.push({ at, what, value })

  for (const value of list ?? []) within(`being ${String(value)}`, value)
  if (typesOf(limits).includes('null')) within('being null', null)
  if (typesOf(limits).includes('boolean')) [true, false].map((b) => within(`being ${b}`, b))
  // An address of three characters has no dot, which an address needs.
  if (minLength !== undefined && limits.format !== 'email')
    within(`having ${minLength} characters`, stringOf(limits, minLength))
  if (maxLength !== undefined) within(`having ${maxLength} characters`, stringOf(limits, maxLength))
  if (minimum !== undefined) within(`being ${minimum}`, minimum)
  if (maximum !== undefined) within(`being ${maximum}`, maximum)
  if (minItems !== undefined) within(`having ${minItems} items`, listOf(limits, minItems))
  if (maxItems !== undefined) within(`having ${maxItems} items`, listOf(limits, maxItems))
  if (limits.maxProperties !== undefined)
    within(`having ${limits.maxProperties} fields`, mapOf(limits, limits.maxProperties))
  for (const { at: inner, what, value } of limits.items ? atLimits(limits.items, []) : [])
    within(`with an item ${what}`, [changed(sampleOf(limits.items!), inner, value)])
  for (const [name, field] of fieldsOf(limits)) edges.push(...atLimits(field, [...at, name]))
  return edges
}

/** A copy of a body with one value changed. */
function changed(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) }
  const fields = copy as Record<string, unknown>
  const inner = fields[name] ?? (/^\d+$/.test(rest[0] ?? '') ? [] : {})
  if (value === absent && rest.length === 0) delete fields[name]
  else fields[name] = rest.length === 0 ? value : changed(inner, rest, value)
  return copy
}

/** What a value at the limit needs beside it, or why it is refused by more than its form. */
interface Beyond {
  beside?: (scene: Scene, value: string) => Promise<object>
  answer?: [status: number, code: ErrorCode, fieldErrors?: Record<string, string>]
}

const wrongCode = { code: 'The code is wrong, expired or used.' }

const beyond: Record<string, Beyond> = {
  'create_contact_request challengeToken': { answer: [403, 'challenge_failed'] },
  'create_media_upload mimeType': {},
  'create_session email': { beside: (scene, email) => codeFrom('/api/session/code', scene, email) },
  'create_session code': { answer: [401, 'code_invalid'] },
  'create_staff_session email': {
    beside: async (scene, email) => ({ code: (await aStaffCode(scene, email)).code }),
  },
  'create_staff_session code': { answer: [401, 'code_invalid'] },
  'create_workspace templateKey': { answer: [400, 'unknown_template'] },
  'update_account_email email': {
    beside: (scene, email) => codeFrom('/api/account/email/code', scene, email),
  },
  'update_account_email code': { answer: [400, 'invalid_input', wrongCode] },
  // A filter by what is not there finds nothing.
  'list_products collectionId': {},
  'update_website templateKey': { answer: [400, 'unknown_template'] },
  'update_customer_profile email': {
    answer: [400, 'invalid_input', { email: 'The email address cannot be changed here.' }],
  },
  'verify_customer_code code': { answer: [401, 'code_invalid'] },
  'verify_customer_code email': {
    beside: async (scene, email) => {
      const { code } = await aCustomersCode(scene, await givenCustomer(scene), email)
      return { code }
    },
  },
  'update_workspace billingEmail': {
    beside: async (scene, email) => {
      const path = `/api/workspaces/${scene.workspace.id}/billing-email/code`
      return { billingEmailCode: (await aMailedCode(scene, path, email)).code }
    },
  },
}

/** Ids within their bounds that name nothing are refused by name, and an old ETag as such. */
function beyondOf(id: OperationId, field: string): Beyond {
  if (field === 'If-Match') return { answer: [409, 'write_conflict'] }
  // Of the visitor's credentials the customer's session alone counts where it is sent.
  if (field === 'X-Visitor-Token') return { answer: [401, 'unauthenticated'] }
  // So is a conversation, which is no resource of the path.
  if (field === 'threadId') return { answer: [404, 'not_found'] }
  const ids =
    'imageIds|tagIds|imageId|logoImageId|productId|collectionId|questions|userSelectedRoutineProducts'
  const named = new RegExp(`^(${ids}|base64|mimeType|image|images)(\\.|$)`).test(field)
  return beyond[`${id} ${field}`] ?? (named ? { answer: [400, 'invalid_input'] } : {})
}

async function codeFrom(path: string, scene: Scene, email: string): Promise<{ code: string }> {
  return { code: (await aMailedCode(scene, path, email)).code }
}

/** Parameters travel as ASCII where they stand in a header, and percent-encoded in a path. */
function wireText({ in: place }: Parameter, value: unknown): string {
  const text = String(value)
  if (place === 'header') return text.replace('😀', 'x')
  return place === 'path' ? encodeURIComponent(text) : text
}

function withParameter(call: Call, parameter: Parameter, value: unknown): Call {
  const part = ({ path: 'path', query: 'query', header: 'headers' } as const)[parameter.in]
  return { ...call, [part]: { ...call[part], [parameter.name]: wireText(parameter, value) } }
}

/** What the owner is answered: a success by its status, a refusal by its code and fields, too. */
async function answerTo(id: OperationId, call: Call, scene: Scene): Promise<unknown[]> {
  const way = mainWayTo(id)
  const { status, body } = await send(service, id, way, call, credentialOf(scene, way))
  if (status < 400) return [status]
  return body.fieldErrors ? [status, body.code, body.fieldErrors] : [status, body.code]
}

/** The names of the fields that a refused call was at fault in. */
async function faultsOf(id: OperationId, call: Call): Promise<unknown> {
  const [status, code, fieldErrors] = await answerTo(id, call, shared)
  return { status, code, fields: Object.keys(fieldErrors ?? {}) }
}

const refused = (field: string) => ({ status: 400, code: 'invalid_input', fields: [field] })

describe.each(servedIds)('%s', (id) => {
  const { parameters, bodySchema, bodyRequired } = declared(id)
  /** Where a call succeeds; what is only read can be read again. */
  const sceneOfCall = async () => (rows[id].method === 'get' ? shared : givenScene(service))
  const path = Object.fromEntries(parameters.map(({ name }) => [name, 'x']))
  const sample = (): Call => ({
    path: { ...path, workspaceId: shared.workspace.id },
    query: {},
    headers: {},
    body: bodySchema && sampleOf(bodySchema),
    ...(rows[id].body === 'multipart' ? multipart([{ name: 'files', bytes: anImage() }]) : {}),
  })

  for (const parameter of parameters) {
    const { name, in: place, schema } = parameter
    const edges = place === 'path' ? [] : pastLimits(schema, [name], true)
    for (const { what, value } of edges)
      test(`refuses ${name} for ${what}`, async () => {
        const call = withParameter(sample(), parameter, value)
        expect(await faultsOf(id, call)).toEqual(refused(name))
      })
    for (const { what, value } of place === 'path' ? [] : atLimits(schema, [name]))
      test(`takes ${name} ${what}`, async () => {
        const scene = await sceneOfCall()
        const call = withParameter(await validCall(id, scene), parameter, value)
        const { answer = [rows[id].status] } = beyondOf(id, name)
        expect((await answerTo(id, call, scene)).slice(0, answer.length)).toEqual(answer)
      })
  }

  test('refuses an unknown name in the query', async () => {
    const call = { ...sample(), query: { unknown: 'x' } }
    expect(await faultsOf(id, call)).toEqual(refused('unknown'))
  })

  if (bodySchema) {
    if (bodyRequired)
      test('refuses a call without its body', async () => {
        expect(await faultsOf(id, { ...sample(), body: undefined })).toEqual(refused('body'))
      })
    for (const { at, what, value } of pastLimits(bodySchema, [])) {
      const field = at.join('.') || 'body'
      test(`refuses ${field} for ${what}`, async () => {
        const { body, ...call } = sample()
        const wrong = { ...call, body: JSON.stringify(changed(body, at, value)) }
        // Bytes that are too many are a payload that is too large.
        const large = /^(base64|image|images\.0)$/.test(field) && what === 'being too long'
        const as = large ? { status: 413, code: 'payload_too_large' } : {}
        expect(await faultsOf(id, wrong)).toEqual({ ...refused(field), ...as })
      })
    }
    for (const { at, what, value } of atLimits(bodySchema, [])) {
      const field = at.join('.')
      test(`takes ${field} ${what}`, async () => {
        const scene = await givenScene(service)
        const { body, ...call } = await validCall(id, scene)
        const { beside, answer = [rows[id].status] } = beyondOf(id, field)
        const needed = await beside?.(scene, String(value))
        const whole = { ...(changed(body, at, value) as object), ...needed }
        // None is always taken, and so is the type that the example's bytes have.
        const fits = value === null || (field === 'mimeType' && value === 'image/png')
        const expected = fits ? [rows[id].status] : answer
        const answered = await answerTo(id, { ...call, body: whole }, scene)
        expect(answered.slice(0, expected.length)).toEqual(expected)
      })
    }
  }
})

describe.each(servedIds.filter((id) => rows[id].path.includes('{')))('%s', (id) => {
  const way = mainWayTo(id)
  const inPath = declared(id).parameters.filter((parameter) => parameter.in === 'path')

  /** What somebody without any credential is answered. */
  async function stranger(name: string, value: string): Promise<unknown[]> {
    const path = Object.fromEntries(inPath.map((parameter) => [parameter.name, 'x']))
    const call = { path: { ...path, [name]: value }, query: {}, headers: {}, body: undefined }
    const headers = { Origin: ownOrigin(service, way) }
    const { status, body } = await send(service, id, way, call, headers)
    return [status, body.code, Object.keys(body.fieldErrors ?? {})]
  }

  for (const { name, schema } of inPath) {
    const { maxLength = 0 } = limitsOf(schema)
    const refusal = [400, 'invalid_input', [name]]

    test(`refuses ${name} in the path before it asks who is calling`, async () => {
      expect(await stranger(name, 'x'.repeat(maxLength + 1))).toEqual(refusal)
      expect(await stranger(name, '%F0%9F%98%80'.repeat(maxLength + 1))).toEqual(refusal)
      expect(await stranger(name, '%E0%A4%A')).toEqual(refusal)
      expect(await stranger(name, '%ff')).toEqual(refusal)
      expect(await stranger(name, 'x%00')).toEqual(refusal)
    })

    // At the end of a path an empty parameter is a trailing slash, and the path another one.
    if (!rows[id].path.endsWith(`{${name}}`))
      test(`refuses an empty ${name} in the path before it asks who is calling`, async () => {
        expect(await stranger(name, '')).toEqual(refusal)
      })

    test(`looks for a ${name} of ${maxLength} characters`, async () => {
      const call = await validCall(id, shared)
      const notThere = name === 'workspaceId' ? [403, 'not_owner'] : [404, 'not_found']
      for (const value of ['x', '😀'.repeat(maxLength)]) {
        const path = { ...call.path, [name]: encodeURIComponent(value) }
        expect(await answerTo(id, { ...call, path }, shared)).toEqual(notThere)
      }
    })
  }
})
