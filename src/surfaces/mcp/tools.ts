import { readTools, type ToolDefinition } from '../../core/contract_documents.ts'
import { invalidInput } from '../../core/errors.ts'
import { momentOf } from '../../core/time.ts'
import { operations, type Scope } from '../../generated/operations.ts'
import type { OperationId } from '../../operation.ts'
import type { FieldErrors, Reason } from '../../texts/refusals.ts'
import { maxAnswerBytes } from '../call/answers.ts'
import { maxFieldErrors } from '../call/field_errors.ts'
import { type Fields, isObject } from './messages.ts'
import type { Incoming } from '../call/call.ts'
import { parseJson, refuseUnstorable } from '../call/request_parts.ts'
import type { Route } from '../call/routes.ts'

/** A tool of the manifest, with the request parts its arguments are split into. */
export interface Tool {
  name: OperationId
  scope: Scope | null
  tag: string
  readOnly: boolean
  argumentNames: string[]
  pathNames: string[]
  /** The names under `data` and `query`. */
  membersOf: { data: string[]; query: string[] }
  /** The names in `query` that may be lists. */
  listNames: string[]
  /** The members that it answers, if not the whole answer, and which of them are empty lists. */
  answerNames: string[] | undefined
  emptyNames: string[]
  /** For a list with a summary: the rows, and the fields they have in it. */
  summary: { rows: string; fields: readonly string[]; defaultView: unknown } | undefined
  /** The members of its answer that visitors wrote. */
  visitors: readonly string[] | null
  /** The definition that clients see. */
  definition: { inputSchema: { properties: Fields } }
}

/** Arguments that are not parameters of the path. */
const besidePath = new Set(['query', 'data', 'idempotencyKey', 'expectedUpdatedAt'])

/** All tools, in manifest order. */
export const tools: Tool[] = readTools().map((definition) => {
  const name = definition.name as OperationId
  const { scope, tag, shortAnswer, visitors } = operations[name]
  const argumentNames = Object.keys(definition.inputSchema.properties)
  return {
    name,
    scope,
    tag,
    definition,
    visitors,
    argumentNames,
    answerNames: shortAnswer ? Object.keys(definition.outputSchema.properties) : undefined,
    emptyNames: Object.entries(definition.outputSchema.properties).flatMap(([member, schema]) =>
      schema.maxItems === 0 ? [member] : [],
    ),
    summary: summaryOf(definition),
    readOnly: definition.annotations.readOnlyHint,
    pathNames: argumentNames.filter((argument) => !besidePath.has(argument)),
    membersOf: {
      data: membersOf(definition.inputSchema.properties.data),
      query: membersOf(definition.inputSchema.properties.query),
    },
    listNames: listNamesOf(definition.inputSchema.properties.query),
  }
})

function membersOf(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
}

function summaryOf({ name, inputSchema, outputSchema }: ToolDefinition): Tool['summary'] {
  const fields: readonly string[] | null = operations[name as OperationId].summary
  const list = Object.entries(outputSchema.properties).find(([, { type }]) => type === 'array')
  if (!fields || !list) return undefined
  const { query } = inputSchema.properties
  const view = isObject(query) && isObject(query.properties) ? query.properties.view : undefined
  const defaultView = isObject(view) ? view.default : undefined
  return { rows: list[0], fields, defaultView }
}

function listNamesOf(query: unknown): string[] {
  if (!isObject(query) || !isObject(query.properties)) return []
  const isList = (schema: unknown) => isObject(schema) && schema.type === 'array'
  return Object.entries(query.properties).flatMap(([name, schema]) =>
    isList(schema) ? [name] : [],
  )
}

/**
 * For a collection's segment in a path, the prefix of its ids and the reason given for anything else. Ids
 * of other segments are not checked.
 */
const idReasons: Readonly<Record<string, [prefix: string, Reason]>> = {
  workspaces: ['ws_', 'workspaceIdExpected'],
  products: ['prod_', 'productIdExpected'],
  collections: ['coll_', ['idExpected', { prefix: 'coll_' }]],
  tags: ['tag_', ['idExpected', { prefix: 'tag_' }]],
  media: ['med_', ['idExpected', { prefix: 'med_' }]],
}

/**
 * Arguments that cannot be ids, for a refusal that found nothing: models mistake an SKU, a name or a
 * subdomain for one. Judged by form alone, so it reveals nothing about what exists.
 */
export function wrongIds({ name }: Tool, args: Fields): FieldErrors | undefined {
  const faults: FieldErrors = {}
  for (const [, segment, argument] of operations[name].path.matchAll(/\/(\w+)\/\{(\w+)\}/g)) {
    const [prefix, reason] = idReasons[segment!] ?? []
    const value = args[argument!]
    if (prefix && reason && typeof value === 'string' && !value.startsWith(prefix))
      faults[argument!] = reason
  }
  return Object.keys(faults).length > 0 ? faults : undefined
}

/** A tool's call in the form the pipeline takes. */
export interface ToolCall {
  route: Route
  incoming: Incoming
  /** The fields of a list's rows, if a summary is requested. */
  summary: Tool['summary']
}

/** The context of a call from its HTTP request. */
export type ToolCallContext = Pick<
  Incoming,
  'clientIp' | 'requestId' | 'signal' | 'identified' | 'meter'
> & {
  authorization: string | undefined
  /** Whether the message may contain text that cannot be stored. */
  suspect: boolean
}

/**
 * Splits a tool's arguments into the parts of a request: path parameters, a query of strings as in a URL,
 * and the body. Refuses only what does not fit into these; the rest is validated as in REST.
 */
export function toolCall(
  tool: Tool,
  given: Fields,
  meta: Fields,
  context: ToolCallContext,
): ToolCall {
  const faults: FieldErrors = {}
  const unknown = Object.keys(given).filter((name) => !tool.argumentNames.includes(name))
  for (const name of unknown.slice(0, maxFieldErrors)) faults[name] = misplaced(tool, name)
  const args = withoutJsonTexts(tool, given, faults)
  const params = pathParameters(tool, args, faults)
  const search = searchOf(tool, args.query, faults)
  const headers = {
    authorization: context.authorization,
    ...headersOf({ ...meta, ...args }, faults),
  }
  const expectedUpdatedAt = textArgument(args, 'expectedUpdatedAt', faults)
  if (expectedUpdatedAt !== undefined && momentOf(expectedUpdatedAt) === undefined)
    faults['expectedUpdatedAt'] ??= 'dateOrTimeExpected'
  if (Object.keys(faults).length > 0) throw invalidInput(faults)

  const { method, path } = operations[tool.name]
  const { clientIp, requestId, suspect, signal, identified, meter } = context
  const incoming: Incoming = {
    method,
    path,
    search,
    headers,
    clientIp,
    requestId,
    maxAnswerBytes: tool.answerNames ? maxAnswerBytes.batch : maxAnswerBytes.tool,
    expectedUpdatedAt,
    signal,
    identified,
    ...(meter ? { meter } : {}),
    bodyArrived: () => true,
    readForm: () => Promise.resolve({ files: [], body: {} }),
    readBytes: () => Promise.reject(new Error('A tool takes no raw bytes.')),
    readBody: () => {
      if (suspect) refuseUnstorable(args.data)
      return Promise.resolve(args.data)
    },
  }
  const view = (isObject(args.query) ? args.query.view : undefined) ?? tool.summary?.defaultView
  return {
    route: { operationId: tool.name, params, flat: false },
    incoming,
    summary: view === 'summary' ? tool.summary : undefined,
  }
}

/** Where an argument belongs that the tool does not have. */
function misplaced({ membersOf: { data, query }, argumentNames }: Tool, name: string): Reason {
  if (data.includes(name)) return ['belongsUnder', { parent: 'data' }]
  if (query.includes(name)) return ['belongsUnder', { parent: 'query' }]
  if (argumentNames.length === 0) return 'noArguments'
  return ['unknownArgument', { values: argumentNames.join(', ') }]
}

/**
 * Some models write an object as JSON in a string: parse it as intended, within the limits of any other
 * body.
 */
function withoutJsonTexts(tool: Tool, args: Fields, faults: FieldErrors): Fields {
  const read = { ...args }
  for (const name of ['data', 'query']) {
    const text = args[name]
    if (typeof text !== 'string' || !tool.argumentNames.includes(name)) continue
    if (/^\s*\{/.test(text)) read[name] = parseJson(Buffer.from(text), name)
    else faults[name] = 'mustBeObject'
  }
  return read
}

function textArgument(args: Fields, name: string, faults: FieldErrors): string | undefined {
  const value = args[name]
  if (value === undefined || typeof value === 'string') return value
  faults[name] = 'mustBeString'
  return undefined
}

function pathParameters({ pathNames }: Tool, args: Fields, faults: FieldErrors): Route['params'] {
  const params: Route['params'] = {}
  for (const name of pathNames) {
    const value = args[name]
    if (value === undefined) faults[name] = 'required'
    else if (typeof value !== 'string') faults[name] = 'mustBeString'
    else if (value.includes('\0')) faults[name] = 'unstorable'
    else if (!value.isWellFormed()) faults[name] = 'unstorable'
    else params[name] = value
  }
  return params
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** A list becomes comma-separated text, as in a URL; text that is already in this form is accepted, too. */
function searchOf({ listNames }: Tool, query: unknown, faults: FieldErrors): string {
  if (query === undefined) return ''
  if (!isObject(query)) {
    faults.query = 'mustBeObject'
    return ''
  }
  const pairs = Object.entries(query).map(([name, value]) => {
    const values = Array.isArray(value) && listNames.includes(name) ? value : [value]
    if (!values.every(isScalar)) faults[name] = 'mustBeScalar'
    return `${encode(name, name, faults)}=${encode(name, values.join(','), faults)}`
  })
  return pairs.join('&')
}

/** A lone surrogate cannot be encoded in a URL. */
function encode(name: string, text: string, faults: FieldErrors): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  faults[name] = 'unstorable'
  return ''
}

/** Members of `_meta` that correspond to REST headers. */
const metaHeaders = { idempotencyKey: 'Idempotency-Key', ifMatch: 'If-Match' } as const

function headersOf(meta: Fields, faults: FieldErrors): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [key, name] of Object.entries(metaHeaders)) {
    const value = meta[key]
    if (typeof value === 'string') headers[name.toLowerCase()] = value
    else if (value !== undefined) faults[name] = 'mustBeString'
  }
  return headers
}
