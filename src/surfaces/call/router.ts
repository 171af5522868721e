import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import formatsPlugin from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { type Document, OpenAPIBackend, type Operation, type Request } from 'openapi-backend'
import type { ValidationResult } from 'openapi-backend'
import { showsNothing } from '../../core/text.ts'
import type { OperationId } from '../../operation.ts'

/**
 * A request as the pipeline passes it on: routed, decoded and parsed once. Validation fills in
 * defaults in place.
 */
export interface RoutedRequest {
  method: string
  path: string
  operationId: OperationId
  params: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  cookies: Record<string, string>
  requestBody: unknown
}

/**
 * openapi-backend, adapted to OpenAPI 3.1. The library resolves references, builds and compiles the schemas
 * of every operation, finds the handler and keeps the order of these steps. Done here instead:
 * - matching a path: `routes.ts` has done it before a call arrives here;
 * - parsing a request: once, in the pipeline; the library would do it three times;
 * - typing the values of a query: the library would also take `1e1` for 10 and a blank for 0;
 * - choosing what its validators see: where a body is optional, the library would not show them one that
 *   is no object, and accept it;
 * - Ajv 2020 instead of the library's Ajv, which reads schemas of OpenAPI 3.0.
 * Doors check credentials, so the library's security step has nothing to do.
 */
export class Router extends OpenAPIBackend {
  readonly #operations = new Map<string, Operation>()
  readonly #ajv: Ajv2020
  readonly #pathValidators = new Map<string, ValidateFunction>()
  readonly #typedQueries = new Map<string, TypedQuery>()

  constructor(definition: Document) {
    // Quick: codegen has checked the document, and a schema is compiled on its first use. References
    // are resolved without their siblings, which codegen forbids.
    super({ definition, strict: true, quick: true })
    this.#ajv = createAjv()
  }

  override async init(): Promise<this> {
    await super.init()
    // One for all schemas: the library would create another for each, only to ask for ours.
    this.validator.getAjv = () => this.#ajv
    for (const operation of this.router.getOperations())
      this.#operations.set(operation.operationId!, { ...operation, security: [] })
    const all = [...this.#operations.values()]
    this.router.getOperations = () => all
    this.router.matchOperation = (request) => this.#operations.get(asRouted(request).operationId)!
    this.router.parseRequest = (request) => asRouted(request)
    this.validator.validateRequest = (request) => this.#validate(asRouted(request))
    return this
  }

  #validate(request: RoutedRequest): ValidationResult<Request> {
    const { operationId, params, query, headers, cookies, requestBody } = request
    const data: Record<string, unknown> = { path: params, query, header: headers, cookie: cookies }
    if (requestBody !== undefined) data.requestBody = requestBody
    let errors: ErrorObject[] = []
    for (const validate of this.validator.getRequestValidatorsForOperation(operationId))
      if (!validate(data)) errors = errors.concat(validate.errors ?? [])
    return errors.length === 0 ? valid : { valid: false, errors }
  }

  /** The errors of a body alone. */
  bodyErrors(operationId: string, body: unknown): ErrorObject[] {
    const data = { requestBody: body }
    const validators = this.validator.getRequestValidatorsForOperation(operationId)
    const errors = validators.flatMap((validate) => (validate(data) ? [] : (validate.errors ?? [])))
    return errors.filter(({ instancePath }) => instancePath.startsWith('/requestBody'))
  }

  /** Errors of the path parameters only, which are checked before authentication. */
  pathErrors(operationId: string, params: Record<string, string>): ErrorObject[] {
    let validate = this.#pathValidators.get(operationId)
    if (!validate) {
      const parameters = this.#operations.get(operationId)?.parameters ?? []
      const properties = Object.fromEntries(
        parameters.flatMap((p) => ('in' in p && p.in === 'path' ? [[p.name, p.schema]] : [])),
      )
      // Most paths have the same parameters, such as a workspace and an id.
      const alike = JSON.stringify(properties)
      validate =
        this.#pathValidators.get(alike) ??
        this.#ajv.compile({ type: 'object', properties: { path: { properties } } })
      this.#pathValidators.set(alike, validate).set(operationId, validate)
    }
    return validate({ path: params }) ? [] : (validate.errors ?? [])
  }

  /**
   * Gives the values of a query their types. A value that does not fit stays text, which validation
   * refuses.
   */
  typeQuery(operationId: string, query: Record<string, unknown>): void {
    const { integers, booleans } = this.#typedQuery(operationId)
    for (const name of integers) {
      const text = query[name]
      if (typeof text === 'string' && /^-?[0-9]{1,15}$/.test(text)) query[name] = Number(text)
    }
    for (const name of booleans) {
      const text = query[name]
      if (text === 'true' || text === 'false') query[name] = text === 'true'
    }
  }

  /** The query parameters of an operation that are lists. */
  listsOf(operationId: string): ReadonlySet<string> {
    return this.#typedQuery(operationId).lists
  }

  #typedQuery(operationId: string): TypedQuery {
    let typed = this.#typedQueries.get(operationId)
    if (!typed) {
      const parameters = this.#operations.get(operationId)?.parameters ?? []
      const namesOf = (type: string) =>
        parameters.flatMap((p) => {
          const schema = 'schema' in p ? p.schema : undefined
          const matches = schema && 'type' in schema && schema.type === type
          return 'in' in p && p.in === 'query' && matches ? [p.name] : []
        })
      typed = {
        integers: namesOf('integer'),
        booleans: namesOf('boolean'),
        lists: new Set(namesOf('array')),
      }
      this.#typedQueries.set(operationId, typed)
    }
    return typed
  }
}

/** The query parameters of an operation that are not text, by name. */
interface TypedQuery {
  integers: string[]
  booleans: string[]
  lists: ReadonlySet<string>
}

const maxEmailLength = 320

const valid: ValidationResult<Request> = { valid: true, errors: null }

/** The pipeline passes a RoutedRequest to `handleRequest`; the library's type is looser. */
function asRouted(request: Request): RoutedRequest {
  return request as unknown as RoutedRequest
}

/**
 * Whether a text has at least this many characters, each of which may take two units of a string. For most
 * texts the length decides: counting the characters of a picture in Base64 would block all other calls.
 */
function hasCharacters(text: string, least: number): boolean {
  if (text.length < least || text.length >= 2 * least) return text.length >= least
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, 'x').length >= least
}

/**
 * Coercion is off, so values of a wrong type are refused. Integers, booleans and lists in queries are
 * parsed before. A text in a body with a minimum length must be visible, so that no name looks blank.
 */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    // codegen has checked the schemas, and the meta-schema takes longer to compile than ten of
    // them.
    meta: false,
    validateSchema: false,
    // This optimisation takes half the time of compiling (1.5 of 3.1 s for all operations), and a validator
    // runs no faster for it: V8 drops the same code anyway.
    code: { optimize: false },
  })
  formatsPlugin.default(ajv)
  // With allErrors, patterns and formats are also tested on overlong text. On megabytes the
  // library's email expression takes seconds, and other expressions overflow the engine's stack.
  const email = fullFormats.email as RegExp
  ajv.addFormat('email', (text: string) => text.length <= maxEmailLength && email.test(text))
  ajv.removeKeyword('maxLength')
  ajv.addKeyword({
    keyword: 'maxLength',
    // If several formats are wrong, the first one is reported.
    before: 'format',
    type: 'string',
    schemaType: 'number',
    compile: (most: number) => (text: string) => !hasCharacters(text, most + 1),
    error: { params: ({ schemaCode }) => _`{limit: ${schemaCode}}`, message: 'is too long' },
  })
  ajv.removeKeyword('minLength')
  ajv.addKeyword({
    keyword: 'minLength',
    type: 'string',
    schemaType: 'number',
    compile: (least: number) => (text: string, at?: DataValidationCxt) =>
      hasCharacters(text, least) &&
      (least === 0 || !at?.instancePath.startsWith('/requestBody') || !showsNothing(text)),
    error: { params: ({ schemaCode }) => _`{limit: ${schemaCode}}`, message: 'is too short' },
  })
  ajv.removeKeyword('pattern')
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    compile(pattern: string, { maxLength }) {
      const expression = new RegExp(pattern, 'u')
      // Limits count characters, each of which may take two units of a string.
      const longest = 2 * ((maxLength as number | undefined) ?? Infinity)
      return (text: string) => text.length <= longest && expression.test(text)
    },
    error: { params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`, message: 'does not match' },
  })
  return ajv
}
