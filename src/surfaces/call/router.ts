import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { type Document, OpenAPIBackend, OpenAPIValidator } from 'openapi-backend'
import type { Operation, Request, ValidationResult } from 'openapi-backend'
import type { OperationId } from '../../operation.ts'

/**
 * A request as the pipeline hands it over: routed, its parts decoded, and parsed once. Validation
 * fills in defaults in place.
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
 * openapi-backend, made true to OpenAPI 3.1 and fast. Definition, registry of handlers, order of
 * steps and validation remain its own. What is overridden:
 * - the document is not checked against the 3.0 schema (codegen has checked it as 3.1), and its
 *   references are followed by the quick resolver, which forgets what stands beside one (codegen
 *   refuses that);
 * - schemas are compiled by Ajv 2020, each at its first use;
 * - operations are looked up in a map, where the original rebuilds them all at every request;
 * - a request is parsed once, by the pipeline, where the original parses it four times.
 */
export class Router extends OpenAPIBackend {
  readonly #operations = new Map<string, Operation>()
  readonly #ajv = createAjv()
  readonly #pathValidators = new Map<string, ValidateFunction>()
  readonly #integers = new Map<string, string[]>()

  constructor(definition: Document) {
    super({ definition, strict: true, quick: true, validate: false })
  }

  override validateDefinition(): Document {
    return this.document
  }

  /** It is parsed already. */
  override loadDocument(): Promise<Document> {
    this.document = this.inputDocument as Document
    return Promise.resolve(this.document)
  }

  override async init(): Promise<this> {
    await super.init()
    // The resolved copy is the only one that is used: the original need not stay in memory.
    this.inputDocument = this.document = this.definition
    for (const operation of this.router.getOperations())
      this.#operations.set(operation.operationId!, operation)
    this.router.getOperations = () => [...this.#operations.values()]
    this.router.getOperation = (id) => this.#operations.get(id)
    this.router.matchOperation = (request) => this.#operations.get(routed(request).operationId)!
    this.router.parseRequest = (request) => routed(request)

    this.validator = new OpenAPIValidator({
      definition: this.definition,
      router: this.router,
      lazyCompileValidators: true,
      customizeAjv: () => this.#ajv,
    })
    this.validator.validateRequest = (request, operation) =>
      this.#validate(routed(request), (operation as Operation).operationId!)
    this.validate = true
    return this
  }

  /** The errors of the path parameters alone, which are judged before anybody is authenticated. */
  pathErrors(operationId: string, params: Record<string, string>): ErrorObject[] {
    let validate = this.#pathValidators.get(operationId)
    if (!validate) {
      const declared = this.#operations.get(operationId)?.parameters ?? []
      const properties = Object.fromEntries(
        declared.flatMap((p) => ('in' in p && p.in === 'path' ? [[p.name, p.schema]] : [])),
      )
      validate = this.#ajv.compile({ type: 'object', properties: { path: { properties } } })
      this.#pathValidators.set(operationId, validate)
    }
    return validate({ path: params }) ? [] : (validate.errors ?? [])
  }

  #validate(request: RoutedRequest, operationId: string): ValidationResult<Request> {
    const { params, query, headers, cookies, requestBody } = request
    for (const name of this.#integerParameters(operationId)) {
      const text = query[name]
      if (typeof text === 'string' && /^-?[0-9]{1,15}$/.test(text)) query[name] = Number(text)
    }
    const data: Record<string, unknown> = { path: params, query, header: headers, cookie: cookies }
    if (requestBody !== undefined) data.requestBody = requestBody
    let errors: ErrorObject[] = []
    for (const validate of this.validator.getRequestValidatorsForOperation(operationId))
      if (!validate(data)) errors = errors.concat(validate.errors ?? [])
    return errors.length === 0 ? valid : { valid: false, errors }
  }

  #integerParameters(operationId: string): string[] {
    let names = this.#integers.get(operationId)
    if (!names) {
      const declared = this.#operations.get(operationId)?.parameters ?? []
      names = declared.flatMap((p) => {
        const schema = 'schema' in p ? p.schema : undefined
        return 'in' in p && p.in === 'query' && schema && 'type' in schema
          ? schema.type === 'integer'
            ? [p.name]
            : []
          : []
      })
      this.#integers.set(operationId, names)
    }
    return names
  }
}

const maxEmailLength = 320

const valid: ValidationResult<Request> = { valid: true, errors: null }

/** What the pipeline passes to `handleRequest` is a RoutedRequest; the library's type is looser. */
function routed(request: Request): RoutedRequest {
  return request as unknown as RoutedRequest
}

/** Coercion is off: what is not of its type is refused, and integers in queries are read above. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    // codegen has checked the schemas; the meta-schema takes longer to compile than ten of them.
    meta: false,
    validateSchema: false,
  })
  formatsPlugin.default(ajv)
  // With all errors asked for, a format is tried on text that is already too long; the library's
  // expression for addresses takes seconds for megabytes.
  const email = fullFormats.email as RegExp
  ajv.addFormat('email', (text: string) => text.length <= maxEmailLength && email.test(text))
  return ajv
}
