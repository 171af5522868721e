import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { publicContract, readContract } from '../../src/core/contract_documents.ts'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'

const document = readContract()
const published = JSON.parse(publicContract('')) as Pick<typeof document, 'paths'> & {
  components: { responses: Record<string, Response> }
}
// Each schema is compiled once, wherever it is referred to, and not optimised: few answers are checked.
const economy = { inlineRefs: false, code: { optimize: false } }
const ajv = new Ajv2020({ strict: false, allErrors: true, ...economy })
formatsPlugin.default(ajv)
ajv.addSchema(document, 'contract')

/** Stands for the schema of a file, which the tests of its operation read. */
const isFile = ajv.compile(true)

/** By their place in the contract: most refusals are declared once for all operations. */
const validators = new Map<string, ValidateFunction | undefined>()

/** Contract violations of an answer: an undeclared status, or a body that does not match. */
export function contractViolations(
  id: OperationId,
  answer: { status: number; body: string | undefined; parts?: unknown },
): string[] {
  // Too heavy to hold: the tests of such answers read what arrives.
  if (answer.parts) return []
  const at = `${id} ${answer.status}`
  const pointer = responsePointer(id, answer.status)
  if (pointer === undefined) return [`${at} is not declared in the contract`]
  if (!validators.has(pointer)) validators.set(pointer, compile(pointer))
  const validate = validators.get(pointer)
  if (!validate) return answer.body === undefined ? [] : [`${at} has a body that is not declared`]
  if (answer.body === undefined) return [`${at} has no body`]
  if (validate === isFile) return []
  const body: unknown = JSON.parse(answer.body)
  if (answer.body !== JSON.stringify(body)) return [`${at} has spaces between its members`]
  if (!validate(body)) return [`${at}: ${ajv.errorsText(validate.errors)}`]
  return answer.status < 400 ? [] : unlistedCodes(id, answer.status, body as { code: string })
}

/** Answers of the doors beside the public document: the dashboard, and flat URLs. */
const elsewhere = ['origin_refused', 'role_insufficient', 'missing_workspace']

/** A refusal whose code the public document does not list for its operation. */
function unlistedCodes(id: OperationId, status: number, { code }: { code: string }): string[] {
  const { path, method } = operations[id]
  const operation = published.paths[path]?.[method] as Operation | undefined
  if (!operation || elsewhere.includes(code)) return []
  const name = operation.responses[String(status)]?.$ref?.split('/').at(-1) ?? ''
  const response = published.components.responses[name]
  const listed = response?.description?.includes(`\`${code}\``) === true
  return listed ? [] : [`${id} ${status} answers ${code}, which the public document does not list`]
}

interface Operation {
  responses: Record<string, Response>
}

interface Response {
  $ref?: string
  description?: string
  content?: { 'application/json'?: object }
}

/** The pointer to an operation's declared response with this status. */
function responsePointer(id: OperationId, status: number): string | undefined {
  const { path, method } = operations[id]
  const item = document.paths[path]
  const operation = item?.[method] as Operation
  const response = operation.responses[String(status)]
  if (!response) return undefined
  if (response.$ref) return response.$ref
  return `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`
}

function compile(pointer: string): ValidateFunction | undefined {
  const segments = pointer.slice(2).split('/')
  let node: unknown = document
  for (const segment of segments)
    node = (node as Record<string, unknown>)[segment.replaceAll('~1', '/')]
  const { content } = node as Response
  if (!content) return undefined
  if (!content['application/json']) return isFile
  const escaped = pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')
  return ajv.compile({ $ref: `contract${escaped}/content/application~1json/schema` })
}
