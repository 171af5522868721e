import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'

/*
 * The live document, as the checks read it. Nothing else is known of the service: what the document does
 * not say cannot be checked, and what it says is held against every answer.
 */

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

/** A value that the document shows, and what it must fit. */
export interface Shown {
  name: string
  value: unknown
}

export interface DeclaredResponse {
  /** The media types of its body; empty where it has none. */
  types: string[]
  /** Of its JSON; undefined where it has none. */
  validate: (() => ValidateFunction) | undefined
  examples: Shown[]
  headers: string[]
  /** The codes of a refusal; empty where none are listed. */
  codes: string[]
}

export interface JsonBody {
  schema: Schema
  validate: () => ValidateFunction
  examples: Shown[]
}

export interface Operation {
  id: string
  tag: string
  method: string
  path: string
  parameters: Parameter[]
  body: JsonBody | undefined
  /** Whether a body is taken that is no JSON. */
  takesFiles: boolean
  responses: Map<number, DeclaredResponse>
  scope: string | undefined
  /** Whether it needs no credential. */
  isOpen: boolean
  /** Whether it is about the visitor whose token is sent. */
  isOfVisitor: boolean
  /** The operation that reads what this one creates. */
  creates: string | undefined
}

export interface Contract {
  operations: Operation[]
  find(id: string): Operation | undefined
  /** The schema itself, or the one that it refers to. */
  resolve(schema: Schema): Schema
  /** The validator of the error object. */
  isRefusal: () => ValidateFunction
}

type Node = Record<string, never> & { [key: string]: unknown }
type Content = Record<string, { schema?: Schema; examples?: Record<string, unknown> }>

const methods = ['get', 'put', 'post', 'patch', 'delete']
const json = 'application/json'

/** Reads the document; with tags, only the operations that have one of them. */
export function readDocument(document: Record<string, unknown>, tags?: string[]): Contract {
  // Each schema is compiled once, wherever it is referred to, and not optimised: few answers are checked.
  const economy = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...economy })
  formatsPlugin.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const target = (value: unknown): Node => {
    let node = value as Node
    while (typeof node?.$ref === 'string') node = at(document, node.$ref)
    return node ?? {}
  }
  /** Compiled where it stands in the document, so that references inside it are found. */
  const validatorAt = (pointer: string) => once(() => ajv.compile({ $ref: `document#${pointer}` }))

  /** Where something stands: at its own place, or where it refers to. */
  const placeOf = (value: unknown, pointer: string) =>
    (value as { $ref?: string } | undefined)?.$ref?.slice(1) ?? pointer

  const examplesOf = (content: Content): Shown[] =>
    Object.entries(content[json]?.examples ?? {}).map(([name, example]) => ({
      name,
      value: target(example).value as unknown,
    }))

  function responseOf(response: unknown, pointer: string): DeclaredResponse {
    const declared = target(response)
    const {
      description = '',
      headers = {},
      content = {},
    } = declared as Partial<{
      description: string
      headers: object
      content: Content
    }>
    const schema = `${placeOf(response, pointer)}/content/application~1json/schema`
    const [, listed = ''] = /Codes: (.*)\.$/s.exec(description) ?? []
    return {
      types: Object.keys(content),
      validate: content[json]?.schema === undefined ? undefined : validatorAt(schema),
      examples: examplesOf(content),
      headers: Object.keys(headers),
      codes: [...listed.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    }
  }

  function bodyOf(requestBody: unknown, pointer: string): JsonBody | undefined {
    const { content = {} } = target(requestBody) as { content?: Content }
    const schema = content[json]?.schema
    const place = `${placeOf(requestBody, pointer)}/content/application~1json/schema`
    return schema && { schema, validate: validatorAt(place), examples: examplesOf(content) }
  }

  function operationOf(path: string, method: string, item: Node): Operation {
    const source = item[method] as unknown as Node
    const pointer = encodeURI(`/paths/${path.replaceAll('/', '~1')}/${method}`)
    const parameters = [item.parameters ?? [], source.parameters ?? []].flat().map((each) => {
      const { name, in: place, required, schema } = target(each) as unknown as Partial<Parameter>
      return { name: name!, in: place!, required: required ?? false, schema: schema ?? {} }
    })
    const declared = Object.entries(source.responses ?? {})
    const responses = declared.map(
      ([status, response]) =>
        [Number(status), responseOf(response, `${pointer}/responses/${status}`)] as const,
    )
    const created = declared.map(
      ([, each]) =>
        (target(each).links as { created?: { operationId: string } } | undefined)?.created,
    )
    const ways = (source.security ?? []) as Record<string, string[]>[]
    const [security = {}] = ways
    const body = bodyOf(source.requestBody, `${pointer}/requestBody`)
    return {
      id: String(source.operationId),
      tag: String((source.tags as unknown as string[] | undefined)?.[0]),
      method,
      path,
      parameters,
      body,
      takesFiles: source.requestBody !== undefined && body === undefined,
      responses: new Map(responses),
      scope: Object.values(security)[0]?.[0],
      isOpen: Object.keys(security).length === 0,
      isOfVisitor: ways.some((way) => 'visitorToken' in way),
      creates: created.find((link) => link !== undefined)?.operationId,
    }
  }

  const operations = Object.entries(document['paths'] as Record<string, Node>)
    .flatMap(([path, item]) =>
      methods.filter((method) => method in item).map((method) => operationOf(path, method, item)),
    )
    .filter(({ tag }) => tags === undefined || tags.includes(tag))
  return {
    operations,
    find: (id) => operations.find((operation) => operation.id === id),
    resolve: (schema) => target(schema),
    isRefusal: validatorAt('/components/schemas/ApiError'),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function at(document: unknown, reference: string): Node {
  const names = reference.slice(2).split('/')
  return names.reduce(
    (node, name) =>
      node[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')] as unknown as Node,
    document as Node,
  )
}
