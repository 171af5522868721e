import { isNode, valueAt, type OpenApiDocument, type Path } from './document.ts'
import { deprecationRules } from './deprecations.ts'
import { exampleRules } from './rules/example_rules.ts'
import { interpret, type Contract } from './model.ts'
import { limitRules } from './rules/limit_rules.ts'
import { locationRules } from './locations.ts'
import { operationRules } from './rules/operation_rules.ts'
import { refusalRules } from './rules/refusal_rules.ts'
import { roleRules } from './rules/role_rules.ts'
import { schemaRules } from './rules/schema_rules.ts'
import { shapeFindings } from './rules/shape.ts'
import { withSharedFields } from './shared_fields.ts'
import { readSource } from './source.ts'
import { toolRules } from './rules/tool_rules.ts'

export interface Problem {
  readonly line: number
  readonly subject: string
  readonly message: string
}

/** Reads the contract. If it breaks rules, all problems are returned with it. */
export async function readContract(
  text: string,
): Promise<{ contract: Contract | undefined; problems: Problem[] }> {
  const source = readSource(text)
  const problems: Problem[] = source.errors.map((error) => ({ ...error, subject: 'YAML' }))
  if (problems.length > 0) return { contract: undefined, problems }

  const shape = await shapeFindings(source.document)
  const document = source.document as OpenApiDocument
  // The rules assume the shape of OpenAPI; on any other document their findings would be noise.
  const contract = shape.length === 0 ? interpret(withSharedFields(document)) : undefined
  const rules = [
    ...operationRules,
    ...schemaRules,
    ...limitRules,
    ...exampleRules,
    ...refusalRules,
    ...toolRules,
    ...roleRules,
    ...deprecationRules,
    ...locationRules,
  ]
  const findings = contract === undefined ? shape : rules.flatMap((rule) => [...rule(contract)])

  for (const { at, message } of [...source.aliases, ...findings]) {
    problems.push({ line: source.lineOf(at), subject: subjectOf(document, at), message })
  }
  return { contract, problems: problems.sort((a, b) => a.line - b.line) }
}

/** The place of a problem, for a reader: the operation, or the schema and its property. */
function subjectOf(document: OpenApiDocument, at: Path): string {
  const [root, first, second, ...rest] = at
  const operation = root === 'paths' ? valueAt(document, at.slice(0, 3)) : undefined
  if (isNode(operation) && first !== undefined && second !== undefined) {
    const id = operation.operationId
    const name = typeof id === 'string' ? id : `${second.toUpperCase()} ${first}`
    // An inline schema has no name, so its path stands for it.
    return rest.includes('schema') ? `${name} ${rest.join('.')}` : name
  }
  if (root === 'tags') return `the tag ${String(valueAt(document, [...at.slice(0, 2), 'name']))}`
  if (root !== 'components') return at.join('.') || 'document'
  const place = [second, ...rest].join('.').replaceAll('.properties.', '.')
  return first === 'schemas' ? place.replaceAll('.items', '[]') : `${first}.${place}`
}
