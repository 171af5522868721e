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
  const sample = (): Call => {
    const call: Call = {
      path: Object.fromEntries(inPath.map(({ name }) => [name, 'x'])),
      query: {},
      headers: {},
      body: forms[id] ?? (bodySchema && sampleOf(bodySchema)),
    }
    const required = others.filter((parameter) => parameter.required)
    return required.reduce((sum, next) => withParameter(sum, next, sampleOf(next.schema)), call)
  }

  test('accepts the sample the other tests vary', async () => {
    expect(await judge(id, sample())).toBe(accepted)
  })

  test('refuses an unknown name in the query', async () => {
    expect(await judge(id, { ...sample(), query: { ...sample().query, unknown: 'x' } })).toEqual([
      'unknown',
    ])
  })

  if (others.length > 0)
    test('refuses each parameter past each limit, and accepts it at each', async () => {
      for (const parameter of others) {
        const { name, schema } = parameter
        const change = ({ value }: Edge) => withParameter(sample(), parameter, value)
        const past = pastLimits(schema, [name], true)
        expect(await judgeEach(id, past, change)).toEqual(allAre(() => [name], past))
        const at = atLimits(schema, [name])
        expect(await judgeEach(id, at, change)).toEqual(allAre(isAccepted, at))
      }
    })

  for (const { name, schema } of inPath) {
    const { maxLength = 0 } = limitsOf(schema)
    const at = (value: string) =>
      judge(id, { ...sample(), path: { ...sample().path, [name]: value } })

    test(`refuses ${name} in the path past each limit`, async () => {
      expect({
        long: await at('x'.repeat(maxLength + 1)),
        longInAnyScript: await at('%F0%9F%98%80'.repeat(maxLength + 1)),
        halfACharacter: await at('%E0%A4%A'),
        noText: await at('%ff'),
        nul: await at('x%00'),
      }).toEqual({
        long: [name],
        longInAnyScript: [name],
        halfACharacter: [name],
        noText: [name],
        nul: [name],
      })
    })

    // At the end of a path an empty parameter is a trailing slash: a different path.
    if (!rows[id].path.endsWith(`{${name}}`))
      test(`refuses an empty ${name} in the path`, async () => {
        expect(await at('')).toEqual([name])
      })

    test(`accepts ${name} in the path of 1 and of ${maxLength} characters`, async () => {
      expect(await at('x')).toBe(accepted)
      expect(await at(encodeURIComponent('😀'.repeat(maxLength)))).toBe(accepted)
    })
  }

  if (!bodySchema) return

  const change = ({ at, value }: Edge): Call => {
    const { body, ...call } = sample()
    return { ...call, body: withValue(body, at, value) }
  }
  if (bodyRequired)
    test('refuses a call without its body', async () => {
      expect(await judge(id, { ...sample(), body: undefined })).toEqual(['body'])
    })
  const [past, at] = [pastLimits(bodySchema, []), atLimits(bodySchema, [])]
  test('refuses each field past each limit', async () => {
    expect(await judgeEach(id, past, change)).toEqual(allAre(isRefused, past))
  })
  test('accepts each field at each limit', async () => {
    expect(await judgeEach(id, at, change)).toEqual(allAre(isAccepted, at))
  })
})
