import {
  type Content,
  follow,
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
} from '../document.ts'
import type { Direction } from './pairs.ts'
import { type CompareSchemas, schemaComparison } from './schemas.ts'

interface ReleasedOperation {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly source: OperationObject
  /** By place and name; names of headers have no case. */
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly body: RequestBody | undefined
  readonly responses: Readonly<Record<string, Response>>
}

/** What breaks clients of the REST operations in `before` at a service with `after`. */
export function operationBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const today = new Map(
    operationsOf(after).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  )
  const compare = schemaComparison()
  const contents = (from: Content, to: Content, place: string, direction: Direction) =>
    contentBreaks(before, after, from, to, place, direction, compare)

  return operationsOf(before).flatMap((operation) => {
    const { id, method, path } = operation
    const now = today.get(`${method} ${path}`)
    if (now === undefined) return [`${id}: ${method.toUpperCase()} ${path} is gone`]
    return [
      ...(now.id === id ? [] : [`${id}: is called ${now.id} now`]),
      ...securityBreaks(operation, now),
      ...parameterBreaks(operation, now, (from, to, place) =>
        compare(
          { document: before, schema: from.schema ?? {} },
          { document: after, schema: to.schema ?? {} },
          place,
          'request',
        ),
      ),
      ...bodyBreaks(operation, now, contents),
      ...responseBreaks(operation, now, contents),
    ]
  })
}

function operationsOf(document: OpenApiDocument): ReleasedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const source = item[method]
      return source === undefined ? [] : [operationOf(document, path, item, method, source)]
    }),
  )
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: Method,
  source: OperationObject,
): ReleasedOperation {
  const target = <T extends object>(value: T | { readonly $ref: string }) =>
    follow<T>(document, [], value).value
  const parameters = [...(item.parameters ?? []), ...(source.parameters ?? [])].map((parameter) =>
    target<Parameter>(parameter),
  )
  const responses = Object.entries(source.responses ?? {}).map(
    ([status, response]) => [status, target<Response>(response)] as const,
  )
  return {
    id: source.operationId ?? '',
    method,
    path,
    source,
    parameters: new Map(parameters.map((parameter) => [keyOf(parameter), parameter])),
    body: source.requestBody && target<RequestBody>(source.requestBody),
    responses: Object.fromEntries(responses),
  }
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** A credential that was enough must still be enough. */
function securityBreaks({ id, source }: ReleasedOperation, now: ReleasedOperation): string[] {
  const [former = [], today = []] = [source.security, now.source.security]
  if (today.length === 0) return []
  if (former.length === 0) return [`${id}: asks for a credential now`]
  const isEnough = (given: Readonly<Record<string, readonly string[]>>) =>
    today.some((asked) =>
      Object.entries(asked).every(
        ([scheme, scopes]) =>
          scopes.every((scope) => given[scheme]?.includes(scope)) && given[scheme] !== undefined,
      ),
    )
  return former.every(isEnough) ? [] : [`${id}: asks for another credential or scope`]
}

function parameterBreaks(
  { id, parameters }: ReleasedOperation,
  now: ReleasedOperation,
  compare: (from: Parameter, to: Parameter, place: string) => string[],
): string[] {
  const former = [...parameters].flatMap(([key, from]) => {
    const to = now.parameters.get(key)
    const place = `${id} ${key}`
    if (to === undefined) return [`${place}: is gone`]
    return [
      ...(to.required === true && from.required !== true ? [`${place}: is required now`] : []),
      ...compare(from, to, place),
    ]
  })
  const asked = [...now.parameters].filter(
    ([key, { required }]) => required && !parameters.has(key),
  )
  return [...former, ...asked.map(([key]) => `${id} ${key}: is required now`)]
}

type Contents = (from: Content, to: Content, place: string, direction: Direction) => string[]

function bodyBreaks(
  { id, body }: ReleasedOperation,
  now: ReleasedOperation,
  contents: Contents,
): string[] {
  const isRequired = now.body?.required === true && body?.required !== true
  const required = isRequired ? [`${id} body: is required now`] : []
  if (body === undefined) return required
  if (now.body === undefined) return [`${id} body: is gone`]
  return [...required, ...contents(body.content, now.body.content, `${id} body`, 'request')]
}

function responseBreaks(
  { id, responses }: ReleasedOperation,
  now: ReleasedOperation,
  contents: Contents,
): string[] {
  const added = Object.keys(now.responses).filter((status) => !(status in responses))
  const kept = Object.entries(responses).flatMap(([status, from]) => {
    const to = now.responses[status]
    const place = `${id} ${status}`
    // A refusal that no longer happens breaks nobody.
    if (to === undefined) return /^[45]/.test(status) ? [] : [`${place}: is gone`]
    const headers = Object.keys(from.headers ?? {}).filter((name) => !(name in (to.headers ?? {})))
    return [
      ...headers.map((name) => `${place} ${name}: is gone`),
      ...(from.content === undefined && to.content !== undefined
        ? [`${place}: has a body now`]
        : []),
      ...contents(from.content ?? {}, to.content ?? {}, place, 'answer'),
    ]
  })
  return [...added.map((status) => `${id} ${status}: is a new status`), ...kept]
}

function contentBreaks(
  before: OpenApiDocument,
  after: OpenApiDocument,
  from: Content,
  to: Content,
  place: string,
  direction: Direction,
  compare: CompareSchemas,
): string[] {
  return Object.entries(from).flatMap(([type, { schema = {} }]) => {
    const today = to[type]
    if (today === undefined) return [`${place} ${type}: is gone`]
    const [older, newer] = [
      { document: before, schema },
      { document: after, schema: today.schema ?? {} },
    ]
    return compare(
      older,
      newer,
      type === 'application/json' ? place : `${place} ${type}`,
      direction,
    )
  })
}
