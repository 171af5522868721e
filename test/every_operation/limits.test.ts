import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer } from '../kit/visitors.ts'
import {
  aCustomersCode,
  aMailedCode,
  aStaffCode,
  credentialOf,
  givenScene,
  formOf,
  ownOrigin,
  type Scene,
  send,
  validCall,
} from './fixtures.ts'
import { aPublishedProduct } from './catalogue_resources.ts'
import {
  atLimits,
  withValue,
  type Edge,
  limitsOf,
  pastLimits,
  sampleOf,
  withParameter,
} from './limit_values.ts'
import { type Call, declarationOf, mainWayTo, rows, servedIds } from './operations.ts'
import { aCollection } from './resources.ts'

// every_limit.test.ts tests every single limit. This file checks over HTTP that each operation
// enforces them, and that the database accepts what they allow.

let service: TestService
let shared: Scene
beforeAll(async () => {
  service = await startService()
  shared = await givenScene(service)
})
afterAll(() => service.close())

/** What a value at the limit also needs, or the refusal it gets for other reasons than its form. */
interface Beyond {
  beside?: (scene: Scene, value: string) => Promise<object>
  answer?: [status: number, code?: ErrorCode, fieldErrors?: Record<string, string>]
}

const wrongCode = { code: 'The code is wrong, expired or used.' }

const beyond: Record<string, Beyond> = {
  'create_contact_request challengeToken': { answer: [403, 'challenge_failed'] },
  // Either or.
  'create_change_set rows': { answer: [400, 'invalid_input'] },
  'create_change_set select': { answer: [400, 'invalid_input'] },
  'create_change_set uploadId': { answer: [400, 'invalid_input'] },
  'create_change_set mapping': { answer: [400, 'invalid_input'] },
  'create_change_set mapping.mapped': { answer: [400, 'invalid_input'] },
  'create_change_set make.tags': { answer: [400, 'invalid_input'] },
  'create_change_set make.collections': { answer: [400, 'invalid_input'] },
  'list_activity operation': { answer: [400, 'invalid_input'] },
  'list_activity productId': {},
  'list_changes after': { answer: [400, 'invalid_input'] },
  'write_products rows': { answer: [200] },
  'create_media_upload mimeType': {},
  'create_session email': { beside: (scene, email) => codeFrom('/api/session/code', scene, email) },
  'create_session code': { answer: [401, 'code_invalid'] },
  'create_staff_session email': {
    beside: async (scene, email) => ({ code: (await aStaffCode(scene, email)).code }),
  },
  'create_staff_session code': { answer: [401, 'code_invalid'] },
  'create_workspace templateKey': { answer: [400, 'unknown_template'] },
  'decide_consent workspaceId': { answer: [400, 'invalid_input'] },
  'update_name_approval name': { answer: [409, 'write_conflict'] },
  'update_name_approval subDomain': { answer: [409, 'write_conflict'] },
  'update_name_approval title': { answer: [409, 'write_conflict'] },
  'update_name_approval headline': { answer: [409, 'write_conflict'] },
  'update_time_zone timeZone': { answer: [400, 'invalid_input'] },
  'start_trial workspaceId': { answer: [403, 'not_owner'] },
  'record_event name': {
    beside: async (scene, name) => {
      if (name === 'PRODUCT_VIEW') return { productId: (await aPublishedProduct(scene)).id }
      if (name === 'COLLECTION_VIEW') return { collectionId: (await aCollection(scene)).id }
      return {}
    },
  },
  'update_account_email email': {
    beside: (scene, email) => codeFrom('/api/account/email/code', scene, email),
  },
  'update_account_email code': { answer: [400, 'invalid_input', wrongCode] },
  // By itself: not together with the summary.
  'list_products fields': { answer: [200] },
  // A filter by an unknown id finds nothing.
  'list_products collectionId': {},
  'export_products collectionId': {},
  'update_website templateKey': { answer: [400, 'unknown_template'] },
  'update_customer_profile email': {
    answer: [400, 'invalid_input', { email: 'The email address cannot be changed here.' }],
  },
  'undo_account_email token': {
    answer: [400, 'invalid_input', { token: 'This link is wrong, used or older than 7 days.' }],
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

/** Well-formed ids that do not exist are refused by field, a stale ETag as a conflict. */
function beyondOf(id: OperationId, field: string): Beyond {
  if (field === 'If-Match') return { answer: [409, 'write_conflict'] }
  // If a customer's session is sent, it is the only visitor credential that counts.
  if (field === 'X-Visitor-Token') return { answer: [401, 'unauthenticated'] }
  // An unknown conversation is 404, although its id is not in the path.
  if (field === 'threadId') return { answer: [404, 'not_found'] }
  const ids =
    'imageIds|tagIds|productIds|imageId|logoImageId|productId|collectionId|questions|userSelectedRoutineProducts'
  const isReference = new RegExp(`^(${ids}|base64|mimeType|image|images)(\\.|$)`).test(field)
  return beyond[`${id} ${field}`] ?? (isReference ? { answer: [400, 'invalid_input'] } : {})
}

async function codeFrom(path: string, scene: Scene, email: string): Promise<{ code: string }> {
  return { code: (await aMailedCode(scene, path, email)).code }
}

/** The answer to the owner: status, and for a refusal also code and fields. */
async function answerTo(id: OperationId, call: Call, scene: Scene): Promise<unknown[]> {
  const way = mainWayTo(id)
  const { status, body } = await send(service, id, way, call, credentialOf(scene, way))
  if (status < 400) return [status]
  return body.fieldErrors ? [status, body.code, body.fieldErrors] : [status, body.code]
}

/** The fields a call was refused for. */
async function faultsOf(id: OperationId, call: Call): Promise<unknown> {
  const [status, code, fieldErrors] = await answerTo(id, call, shared)
  return { status, code, fields: Object.keys(fieldErrors ?? {}) }
}

const refusalOf = (field: string) => ({ status: 400, code: 'invalid_input', fields: [field] })

/** Too many bytes are answered as a payload that is too large. */
function isTooLarge({ at, what }: Edge): boolean {
  return /^(base64|image|images\.0)$/.test(at.join('.')) && what === 'being too long'
}

/** One field of a call, in any part of it, with its values at its limits. */
interface Field {
  name: string
  values: unknown[]
  put: (call: Call, value: unknown) => Call
}

function fieldsOf(id: OperationId): Field[] {
  const { parameters, bodySchema } = declarationOf(id)
  const inCall = parameters
    .filter((parameter) => parameter.in !== 'path')
    .map((parameter) => ({
      name: parameter.name,
      values: atLimits(parameter.schema, []).map(({ value }) => value),
      put: (call: Call, value: unknown) => withParameter(call, parameter, value),
    }))
  const inBody = new Map<string, Edge[]>()
  for (const edge of bodySchema ? atLimits(bodySchema, []) : []) {
    const name = edge.at.join('.')
    inBody.set(name, [...(inBody.get(name) ?? []), edge])
  }
  return [
    ...inCall,
    ...[...inBody].map(([name, edges]) => ({
      name,
      values: edges.map(({ value }) => value),
      put: ({ body, ...call }: Call, value: unknown) => ({
        ...call,
        body: withValue(body, edges[0]!.at, value),
      }),
    })),
  ]
}

type Round = [field: Field, value: unknown][]

/**
 * Calls that together cover every value at a limit: the n-th has the n-th of each field. Fields
 * nested in another field with limits get separate calls, as does null, which excludes the rest.
 */
function roundsOf(fields: Field[]): Round[] {
  const filled = fields.map((field) => ({
    ...field,
    values: field.values.filter((value) => value !== null),
  }))
  const isInside = ({ name }: Field) =>
    filled.some((outer) => outer.values.length > 0 && name.startsWith(`${outer.name}.`))
  const inTurn = (group: Field[]): Round[] => {
    const longest = Math.max(0, ...group.map(({ values }) => values.length))
    return Array.from({ length: longest }, (_none, turn) =>
      group.flatMap((field): Round => {
        return turn < field.values.length ? [[field, field.values[turn]]] : []
      }),
    )
  }
  const nulls = fields.filter(({ values }) => values.includes(null))
  return [
    ...inTurn(filled.filter((field) => !isInside(field))),
    ...inTurn(filled.filter(isInside)),
    ...(nulls.length > 0 ? [nulls.map((field): [Field, unknown] => [field, null])] : []),
  ]
}

describe.each(servedIds)('%s', (id) => {
  const { parameters, bodySchema } = declarationOf(id)
  const fields = fieldsOf(id)
  const past = bodySchema ? pastLimits(bodySchema, []) : []
  const isFree = ({ name }: Field) => beyondOf(id, name).answer === undefined
  const path = Object.fromEntries(parameters.map(({ name }) => [name, 'x']))
  const sample = (): Call => ({
    path: { ...path, workspaceId: shared.workspace.id },
    query: {},
    headers: {},
    body: bodySchema && sampleOf(bodySchema),
    ...(rows[id].body === 'multipart' ? formOf(id) : {}),
  })

  test('refuses a value past its limit, and names its field', async () => {
    const { body, ...call } = sample()
    const edge = past.findLast((candidate) => !isTooLarge(candidate))
    if (edge) {
      const wrong = JSON.stringify(withValue(body, edge.at, edge.value))
      expect(await faultsOf(id, { ...call, body: wrong })).toEqual(refusalOf(edge.at.join('.')))
    }
    const unknown = { ...sample(), query: { unknown: 'x' } }
    expect(await faultsOf(id, unknown)).toEqual(refusalOf('unknown'))
  })

  for (const { at, value } of past.filter(isTooLarge))
    test(`answers too many bytes in ${at.join('.')} with 413`, async () => {
      const { body, ...call } = sample()
      const wrong = { ...call, body: JSON.stringify(withValue(body, at, value)) }
      const answer = { status: 413, code: 'payload_too_large', fields: [at.join('.')] }
      expect(await faultsOf(id, wrong)).toEqual(answer)
    })

  const rounds = roundsOf(fields.filter(isFree))
  if (rounds.length > 0)
    test('accepts every field at its limits', async () => {
      for (const round of rounds) {
        const scene = rows[id].method === 'get' ? shared : await givenScene(service)
        let call = await validCall(id, scene)
        for (const [field, value] of round) call = field.put(call, value)
        for (const [{ name }, value] of round) {
          if (typeof value !== 'string') continue
          const more = await beyondOf(id, name).beside?.(scene, value)
          if (more) call = { ...call, body: { ...(call.body as object), ...more } }
        }
        expect(await answerTo(id, call, scene)).toEqual([rows[id].status])
      }
    })

  let refusing: Scene | undefined
  for (const { name, values, put } of fields.filter((field) => !isFree(field)))
    test(`refuses ${name} at its limits for other reasons than its form`, async () => {
      refusing ??= await givenScene(service)
      const scene = refusing
      let call = await validCall(id, scene)
      for (const value of new Set(values)) {
        const { answer = [] } = beyondOf(id, name)
        // Null is accepted but by what goes with a file alone, and so is the type of the example's bytes.
        const isNull = value === null && !name.startsWith('mapping.')
        const fits = isNull || (name === 'mimeType' && value === 'image/png')
        const expected = fits ? [rows[id].status] : answer
        const actual = await answerTo(id, put(call, value), scene)
        expect(actual.slice(0, expected.length)).toEqual(expected)
        // A call that succeeds may be valid only once; a refused one can be repeated.
        if (actual[0] === rows[id].status) call = await validCall(id, scene)
      }
    })
})

describe.each(servedIds.filter((id) => rows[id].path.includes('{')))('%s', (id) => {
  const way = mainWayTo(id)
  const inPath = declarationOf(id).parameters.filter((parameter) => parameter.in === 'path')

  test('refuses an invalid path before checking the credential', async () => {
    const path = Object.fromEntries(inPath.map((parameter) => [parameter.name, 'x']))
    for (const { name, schema } of inPath)
      for (const value of ['x'.repeat((limitsOf(schema).maxLength ?? 0) + 1), '%ff']) {
        const call = { path: { ...path, [name]: value }, query: {}, headers: {}, body: undefined }
        const headers = { Origin: ownOrigin(service, way) }
        const { status, body } = await send(service, id, way, call, headers)
        const answer = [status, body.code, Object.keys(body.fieldErrors ?? {})]
        expect(answer).toEqual([400, 'invalid_input', [name]])
      }
  })

  test('looks up the longest id a path may hold', async () => {
    const call = await validCall(id, shared)
    for (const { name, schema } of inPath) {
      const value = '😀'.repeat(limitsOf(schema).maxLength ?? 0)
      const path = { ...call.path, [name]: encodeURIComponent(value) }
      const notThere = name === 'workspaceId' ? [403, 'not_owner'] : [404, 'not_found']
      expect(await answerTo(id, { ...call, path }, shared)).toEqual(notThere)
    }
  })
})
