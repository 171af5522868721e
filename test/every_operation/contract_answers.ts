import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { readContract } from '../../src/core/contract_documents.ts'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'

const document = readContract()
const ajv = new Ajv2020({ strict: false, allErrors: true })
formatsPlugin.default(ajv)
ajv.addSchema(document, 'contract')

const validators = new Map<string, ValidateFunction | undefined>()

/** Contract violations of an answer: an undeclared status, or a body that does not match. */
export function contractViolations(
  id: OperationId,
  answer: { status: number; body: string | undefined },
): string[] {
  const at = `${id} ${answer.status}`
  const pointer = responsePointer(id, answer.status)
  if (pointer === undefined) return [`${at} is not declared in the contract`]
  if (!validators.has(at)) validators.set(at, compile(pointer))
  const validate = validators.get(at)
  if (!validate) return answer.body === undefined ? [] : [`${at} has a body that is not declared`]
  if (answer.body === undefined) return [`${at} has no body`]
  if (validate(JSON.parse(answer.body))) return []
  return [`${at}: ${ajv.errorsText(validate.errors)}`]
}

interface Response {
  $ref?: string
  content?: { 'application/json'?: object }
}

/** The pointer to an operation's declared response with this status. */
function responsePointer(id: OperationId, status: number): string | undefined {
  const { path, method } = operations[id]
  const item = document.paths[path]
  const operation = item?.[method] as { responses: Record<string, Response> }
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
  if (!(node as Response).content?.['application/json']) return undefined
  const escaped = pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')
  return ajv.compile({ $ref: `contract${escaped}/content/application~1json/schema` })
}
