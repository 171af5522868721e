import {
  enumOf,
  surfaces,
  type Contract,
  type Operation,
  type Rule,
  type SurfaceName,
} from '../model.ts'
import { objectsOf, type Node } from '../document.ts'
import type { Finding } from '../source.ts'

const schemes: Record<SurfaceName, string> = {
  management: 'accountKey',
  experience: 'accountKey',
  dashboard: 'dashboardSession',
  admin: 'staffSession',
}

function eachOperation(
  check: (operation: Operation, contract: Contract) => Iterable<Finding>,
): Rule {
  return function* (contract) {
    for (const operation of contract.operations) yield* check(operation, contract)
  }
}

function* name({ id, at, source }: Operation, { operations }: Contract): Generator<Finding> {
  const place = [...at, 'operationId']
  if (source.operationId === undefined) yield { at, message: 'has no operationId' }
  else if (!/^[a-z]+(_[a-z0-9]+)*$/.test(id)) {
    yield { at: place, message: 'the operationId is not snake_case' }
  }
  const first = operations.find((other) => other.id === id)
  if (id !== '' && first !== undefined && first.at !== at) {
    const where = `${first.method.toUpperCase()} ${first.path}`
    yield { at: place, message: `the operationId is already used by ${where}` }
  }
}

function* wording({ at, source }: Operation): Generator<Finding> {
  const { tags = [], summary = '', description = '' } = source
  if (tags.length !== 1) {
    yield { at: [...at, 'tags'], message: 'needs exactly one tag, which names its handler file' }
  }
  if (summary.trim() === '') yield { at: [...at, 'summary'], message: 'has no summary' }
  const length = [...description.trim()].length
  if (length === 0) yield { at: [...at, 'description'], message: 'has no description' }
  else if (length < 60 || length > 400) {
    const message = `the description has ${length} characters instead of 60 to 400`
    yield { at: [...at, 'description'], message }
  }
}

function* surface({ at, source }: Operation): Generator<Finding> {
  const value = source['x-surface']
  if (!surfaces.some((name) => name === value)) {
    yield { at: [...at, 'x-surface'], message: `needs an x-surface: ${surfaces.join(', ')}` }
  }
}

function* security(operation: Operation, { document }: Contract): Generator<Finding> {
  const at = [...operation.at, 'security']
  const requirements = operation.source.security
  if (requirements === undefined) {
    yield { at, message: 'has no security: name its scheme and scope, or write security: []' }
    return
  }
  if (requirements.length === 0) return
  // Pages without a backend may do whatever visitors do.
  const isForPages = operation.surface === 'experience'
  const named = requirements.flatMap((requirement) => Object.entries(requirement))
  if (isForPages !== named.some(([name]) => name === 'publishableKey'))
    yield { at, message: 'the experience surface, and no other, takes publishableKey: []' }
  const [scheme, ...others] = named.filter(([name]) => name !== 'publishableKey')
  const expected = schemes[operation.surface]
  if (scheme === undefined || others.length > 0) {
    yield { at, message: 'needs exactly one security scheme' }
  } else if (expected !== undefined && scheme[0] !== expected) {
    yield { at, message: `the ${operation.surface} surface takes ${expected}, not ${scheme[0]}` }
  } else if (scheme[0] === 'accountKey') {
    if (scheme[1].length !== 1) yield { at, message: 'needs exactly one scope' }
    for (const scope of scheme[1]) {
      if (enumOf(document, 'Scope').includes(scope)) continue
      yield { at, message: `the scope ${scope} is not in the enum of Scope` }
    }
  } else if (scheme[1].length > 0) yield { at, message: `${scheme[0]} takes no scope` }
}

function* pathParameters({ at, path, parameters }: Operation): Generator<Finding> {
  const inTemplate = [...path.matchAll(/\{([^}]+)\}/g)].map(([, key = '']) => key)
  const declared = parameters.filter(({ value }) => value.in === 'path')
  for (const key of inTemplate) {
    if (!declared.some(({ value }) => value.name === key)) {
      yield { at, message: `the path parameter ${key} is not declared` }
    }
  }
  for (const { value } of declared) {
    if (!inTemplate.includes(value.name)) {
      yield { at, message: `the path parameter ${value.name} is not in the path` }
    }
  }
}

/** Statuses of refusals that the pipeline itself can give. */
function expectedErrors({ auth, method, body, parameters }: Operation): string[] {
  // Staff may read everything, but their writes from another origin are refused.
  const forbidden = auth !== 'none' && !(auth === 'staffSession' && method === 'get')
  const hasId = parameters.some(({ value }) => value.in === 'path' && value.name !== 'workspaceId')
  return [
    '400',
    ...(auth === 'none' ? [] : ['401']),
    ...(forbidden ? ['403'] : []),
    ...(hasId ? ['404'] : []),
    ...(body === undefined ? [] : ['413', '415']),
    ...(auth === 'accountKey' || auth === 'dashboardSession' ? ['429'] : []),
    '500',
    '503',
  ]
}

function* responses(operation: Operation): Generator<Finding> {
  const at = [...operation.at, 'responses']
  const statuses = operation.responses.map(({ status }) => status)
  const missing = expectedErrors(operation).filter((status) => !statuses.includes(status))
  if (missing.length > 0) yield { at, message: `declares no response ${missing.join(', ')}` }

  const successes = statuses.filter((status) => status.startsWith('2'))
  if (successes.length !== 1) {
    yield { at, message: `needs exactly one 2xx response and has ${successes.length}` }
  }
  for (const { status, value } of operation.responses) {
    if (!('X-Request-Id' in (value.headers ?? {}))) {
      yield { at: [...at, status], message: `the response ${status} has no X-Request-Id` }
    }
    if (!/^[45]/.test(status)) continue
    const waits = status === '429' || status === '503'
    if (waits && !('Retry-After' in (value.headers ?? {}))) {
      yield { at: [...at, status], message: `the response ${status} has no Retry-After` }
    }
    const schema = value.content?.['application/json']?.schema
    if (schema?.$ref !== '#/components/schemas/ApiError') {
      yield { at: [...at, status], message: `the response ${status} is not an ApiError` }
    }
  }
}

const extensions: Rule = function* ({ document, operations }) {
  const calls = new Set<Node>(operations.map(({ source }) => source as Node))
  const parameters = operations.flatMap((operation) => operation.parameters)
  const places: Record<string, Set<unknown>> = {
    'x-surface': calls,
    'x-tool': calls,
    'x-codes': calls,
    'x-roles': new Set(document.tags),
    'x-deprecated': new Set<unknown>([...calls, ...parameters.map(({ value }) => value)]),
    'x-open': new Set(Object.values(document.components?.schemas ?? {})),
  }
  for (const { at, value } of objectsOf(document)) {
    for (const key of Object.keys(value)) {
      if (key.startsWith('x-') && !places[key]?.has(value)) {
        yield {
          at: [...at, key],
          message: `${key} is not a vendor extension that this contract allows here`,
        }
      }
    }
  }
}

/** The consent page and the documentation take the meaning of each value from its line. */
const explanations: Rule = function* ({ document, scopes, errorCodes }) {
  for (const [schema, lines] of [
    ['Scope', scopes],
    ['ErrorCode', errorCodes],
  ] as const) {
    const values = enumOf(document, schema)
    const at = ['components', 'schemas', schema, 'description']
    const names = lines.map((line) => line.name)
    for (const value of values) {
      const count = names.filter((line) => line === value).length
      if (count !== 1) yield { at, message: `explains ${value} in ${count} lines instead of one` }
    }
    for (const line of names) {
      if (!values.includes(line))
        yield { at, message: `explains ${line}, which is not in the enum` }
    }
  }
}

export const operationRules: readonly Rule[] = [
  ...[name, wording, surface, security, pathParameters, responses].map(eachOperation),
  extensions,
  explanations,
]
