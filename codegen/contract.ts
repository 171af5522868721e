import { isNode, valueAt, type OpenApiDocument, type Path } from './document.ts'
import { exampleRules } from './example_rules.ts'
import { interpret, type Contract } from './model.ts'
import { operationRules } from './operation_rules.ts'
import { roleRules } from './role_rules.ts'
import { schemaRules } from './schema_rules.ts'
import { shapeFindings } from './shape.ts'
import { readSource } from './source.ts'
import { toolRules } from './tool_rules.ts'

export interface Problem {
  readonly line: number
  readonly subject: string
  readonly message: string
}

/** Reads the contract's text. A contract that breaks a rule comes back with all its problems. */
export async function readContract(
  text: string,
): Promise<{ contract: Contract | undefined; problems: Problem[] }> {
  const source = readSource(text)
  const problems: Problem[] = source.errors.map((error) => ({ ...error, subject: 'YAML' }))
  if (problems.length > 0) return { contract: undefined, problems }

  const shape = await shapeFindings(source.document)
  const document = source.document as OpenApiDocument
  // The rules read a document of OpenAPI's shape; of another shape they could say nothing true.
  const contract = shape.length === 0 ? interpret(document) : undefined
  const rules = [...operationRules, ...schemaRules, ...exampleRules, ...toolRules, ...roleRules]
  const broken = contract === undefined ? shape : rules.flatMap((rule) => [...rule(contract)])

  for (const { at, message } of [...source.aliases, ...broken]) {
    problems.push({ line: source.lineOf(at), subject: subjectOf(document, at), message })
  }
  return { contract, problems: problems.sort((a, b) => a.line - b.line) }
}

/** What a reader looks for: the operation, or the schema and the property in it. */
function subjectOf(document: OpenApiDocument, at: Path): string {
  const [root, first, second, ...rest] = at
  const operation = root === 'paths' ? valueAt(document, at.slice(0, 3)) : undefined
  if (isNode(operation) && first !== undefined && second !== undefined) {
    const id = operation.operationId
    const name = typeof id === 'string' ? id : `${second.toUpperCase()} ${first}`
    // A schema written in place has no name of its own, so its place stands for it.
    return rest.includes('schema') ? `${name} ${rest.join('.')}` : name
  }
  if (root === 'tags') return `the tag ${String(valueAt(document, [...at.slice(0, 2), 'name']))}`
  if (root !== 'components') return at.join('.') || 'document'
  const place = [second, ...rest].join('.').replaceAll('.properties.', '.')
  return first === 'schemas' ? place.replaceAll('.items', '[]') : `${first}.${place}`
}
