import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import formatsPlugin from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { type Document, OpenAPIBackend, OpenAPIValidator } from 'openapi-backend'
import type { Operation, Request, ValidationResult } from 'openapi-backend'
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
 * openapi-backend, adapted to OpenAPI 3.1 and made fast. Definition, handler registry, order of
 * steps and validation are unchanged. Overridden:
 * - the document is not checked against the 3.0 schema (codegen has checked it as 3.1), and its
 *   references are resolved by the quick resolver, which drops siblings of a reference (codegen
 *   forbids them);
 * - schemas are compiled by Ajv 2020, each on first use;
 * - operations are looked up in a map; the original rebuilds them all on every request;
 * - a request is parsed once, by the pipeline; the original parses it four times.
 */
export class Router extends OpenAPIBackend {
  readonly #operations = new Map<string, Operation>()
  readonly #ajv = createAjv()
  readonly #pathValidators = new Map<string, ValidateFunction>()
  readonly #typedQueries = new Map<string, TypedQuery>()

  constructor(definition: Document) {
    super({ definition, strict: true, quick: true, validate: false })
  }

  override validateDefinition(): Document {
    return this.document
  }

  /** Already parsed. */
  override loadDocument(): Promise<Document> {
    this.document = this.inputDocument as Document
    return Promise.resolve(this.document)
  }

  override async init(): Promise<this> {
    await super.init()
    // Only the resolved copy is used; drop the original to free its memory.
    this.inputDocument = this.document = this.definition
    for (const operation of this.router.getOperations())
      this.#operations.set(operation.operationId!, operation)
    this.router.getOperations = () => [...this.#operations.values()]
    this.router.getOperation = (id) => this.#operations.get(id)
    this.router.matchOperation = (request) => this.#operations.get(asRouted(request).operationId)!
    this.router.parseRequest = (request) => asRouted(request)

    this.validator = new OpenAPIValidator({
      definition: this.definition,
      router: this.router,
      lazyCompileValidators: true,
      customizeAjv: () => this.#ajv,
    })
    this.validator.validateRequest = (request, operation) =>
      this.#validate(asRouted(request), (operation as Operation).operationId!)
    this.validate = true
    return this
  }

  /** Errors of the path parameters only, which are checked before authentication. */
  pathErrors(operationId: string, params: Record<string, string>): ErrorObject[] {
    let validate = this.#pathValidators.get(operationId)
    if (!validate) {
      const parameters = this.#operations.get(operationId)?.parameters ?? []
      const properties = Object.fromEntries(
        parameters.flatMap((p) => ('in' in p && p.in === 'path' ? [[p.name, p.schema]] : [])),
      )
      validate = this.#ajv.compile({ type: 'object', properties: { path: { properties } } })
      this.#pathValidators.set(operationId, validate)
    }
    return validate({ path: params }) ? [] : (validate.errors ?? [])
  }

  #validate(request: RoutedRequest, operationId: string): ValidationResult<Request> {
    const { params, query, headers, cookies, requestBody } = request
    const { integers, booleans, lists } = this.#typedQuery(operationId)
    for (const name of integers) {
      const text = query[name]
      if (typeof text === 'string' && /^-?[0-9]{1,15}$/.test(text)) query[name] = Number(text)
    }
    for (const name of booleans) {
      const text = query[name]
      if (text === 'true' || text === 'false') query[name] = text === 'true'
    }
    for (const name of lists) {
      const text = query[name]
      if (typeof text === 'string') query[name] = text.split(',')
    }
    const data: Record<string, unknown> = { path: params, query, header: headers, cookie: cookies }
    if (requestBody !== undefined) data.requestBody = requestBody
    let errors: ErrorObject[] = []
    for (const validate of this.validator.getRequestValidatorsForOperation(operationId))
      if (!validate(data)) errors = errors.concat(validate.errors ?? [])
    return errors.length === 0 ? valid : { valid: false, errors }
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
        lists: namesOf('array'),
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
  /** Comma-separated, the only spelling that codegen allows. */
  lists: string[]
}

const maxEmailLength = 320

const valid: ValidationResult<Request> = { valid: true, errors: null }

/** The pipeline passes a RoutedRequest to `handleRequest`; the library's type is looser. */
function asRouted(request: Request): RoutedRequest {
  return request as unknown as RoutedRequest
}

/** Whether a text has at least so many characters, each of which may take two units of a string. */
function hasCharacters(text: string, least: number): boolean {
  return text.length >= 2 * least || (text.length >= least && [...text].length >= least)
}

/**
 * Coercion is off: values of the wrong type are refused. Integers, booleans and lists in queries are parsed above. What
 * must not be empty in a body must show something, so that no name is blank to its readers.
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
  })
  formatsPlugin.default(ajv)
  // With allErrors, patterns and formats are also tested on overlong text. On megabytes the
  // library's email expression takes seconds, and other expressions overflow the engine's stack.
  const email = fullFormats.email as RegExp
  ajv.addFormat('email', (text: string) => text.length <= maxEmailLength && email.test(text))
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
