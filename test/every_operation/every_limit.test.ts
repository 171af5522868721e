import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Context, Document } from 'openapi-backend'
import { beforeAll, describe, expect, test } from 'vitest'
import { readContract } from '../../src/core/contract_documents.ts'
import { ApiError } from '../../src/core/errors.ts'
import type { OperationId } from '../../src/operation.ts'
import { fieldErrorsOf } from '../../src/surfaces/call/field_errors.ts'
import { parseJson, parseQuery } from '../../src/surfaces/call/request_parts.ts'
import { type RoutedRequest, Router } from '../../src/surfaces/call/router.ts'
import { createRoutes } from '../../src/surfaces/call/routes.ts'
import {
  atLimits,
  withValue,
  type Edge,
  limitsOf,
  pastLimits,
  sampleOf,
  withParameter,
} from './limit_values.ts'
import { type Call, declarationOf, rows, servedIds } from './operations.ts'

/** The service's routes and validators; limits.test.ts covers HTTP and the database. */
const routes = createRoutes(servedIds, { flat: false })
const router = new Router(readContract() as Document)
const accepted = 'accepted'

beforeAll(async () => {
  await router.init()
  router.register('validationFail', ({ validation }: Context) => faultsIn(validation.errors ?? []))
  for (const id of servedIds) router.register(id, () => accepted)
})

function faultsIn(errors: ErrorObject[]): string[] {
  return Object.keys(fieldErrorsOf(errors))
}

/** The invalid fields, or a note that the call would reach its handler. */
async function judge(id: OperationId, call: Call): Promise<unknown> {
  const { method, path: template } = rows[id]
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => call.path[name] ?? '')
  try {
    const match = routes(method, path)
    if (!match || !('params' in match)) throw new Error(`${path} leads to no operation.`)
    const { params } = match
    const pathErrors = router.pathErrors(id, params)
    if (pathErrors.length > 0) return faultsIn(pathErrors)
    const query = parseQuery(new URLSearchParams(call.query).toString(), router.listsOf(id))
    router.typeQuery(id, query)
    const headers = Object.entries(call.headers).map(([name, value]) => [name.toLowerCase(), value])
    const request: RoutedRequest = {
      method,
      path,
      operationId: id,
      params,
      query,
      headers: Object.fromEntries(headers) as Record<string, string>,
      cookies: {},
      requestBody: call.body === undefined ? undefined : parse(call.body),
    }
    return await router.handleRequest(request as never)
  } catch (error) {
    if (error instanceof ApiError && error.fieldErrors) return Object.keys(error.fieldErrors)
    throw error
  }
}

/** A body as parsed from the wire. The megabytes of a picture are the same before and after. */
function parse(body: unknown): unknown {
  return holdsPicture(body) ? body : parseJson(Buffer.from(JSON.stringify(body)))
}

function holdsPicture(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 1_000_000
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPicture)
}

/** Validates the sample with each value; one test per operation, as there are thousands of values. */
async function judgeEach(id: OperationId, edges: Edge[], change: (edge: Edge) => Call) {
  const verdicts: [field: string, what: string, verdict: unknown][] = []
  for (const edge of edges) verdicts.push([fieldOf(edge), edge.what, await judge(id, change(edge))])
  return verdicts
}

const fieldOf = ({ at }: Edge) => at.join('.') || 'body'

const allAre = (verdict: (field: string) => unknown, edges: Edge[]) =>
  edges.map((edge) => [fieldOf(edge), edge.what, verdict(fieldOf(edge))])

const isRefused = (field: string) => [field]
const isAccepted = () => accepted

/** Bodies with files, which stand in them as texts. */
const forms: Partial<Record<OperationId, object>> = {
  upload_media_files: { files: ['x'] },
  upload_change_set_file: { file: 'x', format: 'csv' },
}

describe.each(servedIds)('%s', (id) => {
  const { parameters, bodySchema, bodyRequired } = declarationOf(id)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const others = parameters.filter((parameter) => parameter.in !== 'path')
  const sample = sampleCall(id)

  test('accepts the sample the other tests vary, and refuses it with an unknown name in the query', async () => {
    expect(await judge(id, sample)).toBe(accepted)
    expect(await judge(id, { ...sample, query: { ...sample.query, unknown: 'x' } })).toEqual([
      'unknown',
    ])
  })

  if (others.length > 0)
    test('refuses each parameter past each limit, and accepts it at each', async () => {
      for (const parameter of others) {
        const { name, schema } = parameter
        const change = ({ value }: Edge) => withParameter(sample, parameter, value)
        const past = pastLimits(schema, [name], true)
        expect(await judgeEach(id, past, change)).toEqual(allAre(() => [name], past))
        const at = atLimits(schema, [name])
        expect(await judgeEach(id, at, change)).toEqual(allAre(isAccepted, at))
      }
    })

  if (inPath.length > 0)
    test('refuses each part of the path past each limit, and accepts it at each', async () => {
      for (const { name, schema } of inPath) {
        // At the end of a path an empty parameter is a trailing slash: a different path.
        const edges = pathEdges(limitsOf(schema), !rows[id].path.endsWith(`{${name}}`))
        const verdicts: [what: string, verdict: unknown][] = []
        for (const [what, value] of edges) {
          const call = { ...sample, path: { ...sample.path, [name]: value } }
          verdicts.push([what, await judge(id, call)])
        }
        expect(verdicts).toEqual(
          edges.map(([what, , isFine]) => [what, isFine ? accepted : [name]]),
        )
      }
    })

  if (!bodySchema) return

  const change = ({ at, value }: Edge): Call => ({
    ...sample,
    body: withValue(sample.body, at, value),
  })
  test('refuses each field of the body past each limit, and accepts it at each', async () => {
    if (bodyRequired) expect(await judge(id, { ...sample, body: undefined })).toEqual(['body'])
    const past = pastLimits(bodySchema, [])
    expect(await judgeEach(id, past, change)).toEqual(allAre(isRefused, past))
    const at = atLimits(bodySchema, [])
    expect(await judgeEach(id, at, change)).toEqual(allAre(isAccepted, at))
  })
})

/** A call that is valid by its form. */
function sampleCall(id: OperationId): Call {
  const { parameters, bodySchema } = declarationOf(id)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const call: Call = {
    path: Object.fromEntries(inPath.map(({ name }) => [name, 'x'])),
    query: {},
    headers: {},
    body: forms[id] ?? (bodySchema && sampleOf(bodySchema)),
  }
  return parameters
    .filter((parameter) => parameter.in !== 'path' && parameter.required)
    .reduce((sum, next) => withParameter(sum, next, sampleOf(next.schema)), call)
}

/** Values of a part of a path, and whether each is accepted. */
function pathEdges(
  { maxLength = 0 }: { maxLength?: number },
  mayBeEmpty: boolean,
): [what: string, value: string, isFine: boolean][] {
  return [
    ['of 1 character', 'x', true],
    [`of ${maxLength} characters`, encodeURIComponent('😀'.repeat(maxLength)), true],
    ['too long', 'x'.repeat(maxLength + 1), false],
    ['too long in any script', '%F0%9F%98%80'.repeat(maxLength + 1), false],
    ['half a character', '%E0%A4%A', false],
    ['no text', '%ff', false],
    ['with NUL', 'x%00', false],
    ...(mayBeEmpty ? [['empty', '', false] as [string, string, boolean]] : []),
  ]
}
