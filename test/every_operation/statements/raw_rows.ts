import { join, relative } from 'node:path'
import ts from 'typescript'
import type { Column } from '../../kit/statements.ts'

/*
 * `sql<Row>` asserts a row type that nothing checks. Here the types are read from the sources and held
 * against the columns that PostgreSQL reported for the statement. Not checked: nullability, and what is
 * inside JSON and arrays.
 */

/** A statement in the sources with the row type that it asserts, empty if it asserts no columns. */
export interface RawStatement {
  place: string
  /** Its text around what is filled in. */
  texts: string[]
  row: Map<string, Family>
}

type Family = 'text' | 'number' | 'boolean' | 'other'

const root = join(import.meta.dirname, '..', '..', '..')

/** They run once, on tables that are no longer as they found them. */
const stepsOfSchema = /^src\/db\/(migrations|backfills)\//

/** The raw statements in a folder of the sources. */
export function rawStatementsIn(folder: string): RawStatement[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)!
  const isRead = (path: string) => path.startsWith(folder) && !stepsOfSchema.test(path)
  const files = config.fileNames.filter((name) => isRead(relative(root, name)))
  const program = ts.createProgram(files, config.options)
  const checker = program.getTypeChecker()
  return files.flatMap((name) => {
    const source = program.getSourceFile(name)!
    const found: RawStatement[] = []
    const visit = (node: ts.Node): void => {
      const statement = ts.isTaggedTemplateExpression(node) && statementOf(node, checker)
      if (statement) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        found.push({ place: `${relative(root, name)}:${line + 1}`, ...statement })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function statementOf(node: ts.TaggedTemplateExpression, checker: ts.TypeChecker) {
  const [type] = node.typeArguments ?? []
  if (node.tag.getText() !== 'sql') return undefined
  const { template } = node
  const texts = ts.isTemplateExpression(template)
    ? [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
    : [template.text]
  if (!/^\s*(select|with|insert|update|delete)\b/.test(texts[0]!)) return undefined
  const properties = type ? checker.getTypeFromTypeNode(type).getProperties() : []
  const row = new Map(
    properties.map((property) => [
      property.name,
      familyOf(checker.getNonNullableType(checker.getTypeOfSymbol(property))),
    ]),
  )
  return { texts, row }
}

/** Which of the statements was sent: the one of those that fit which says the most itself. */
export function statementSent(statements: RawStatement[], text: string): RawStatement | undefined {
  const lengthOf = ({ texts }: RawStatement) => texts.join('').length
  const fitting = statements.filter(({ texts }) => fits(texts, text))
  return fitting.sort((one, other) => lengthOf(other) - lengthOf(one))[0]
}

/** Whether the texts follow each other in the statement, the first at its start, the last at its end. */
function fits(texts: string[], statement: string): boolean {
  const [first = '', ...others] = texts
  const last = others.pop()
  if (last === undefined) return statement === first
  if (!statement.startsWith(first)) return false
  let place = first.length
  for (const text of others) {
    const found = statement.indexOf(text, place)
    if (found < 0) return false
    place = found + text.length
  }
  return statement.endsWith(last) && statement.length - last.length >= place
}

function familyOf(type: ts.Type): Family {
  const kinds = type.isUnion() ? type.types : [type]
  const all = (flag: ts.TypeFlags) => kinds.every(({ flags }) => flags & flag)
  if (all(ts.TypeFlags.StringLike)) return 'text'
  if (all(ts.TypeFlags.NumberLike)) return 'number'
  return all(ts.TypeFlags.BooleanLike) ? 'boolean' : 'other'
}

/** PostgreSQL's numbers, by their ids; and its one boolean. */
const numbers = [20, 21, 23, 700, 701, 1700]
const boolean = 16

/** How the columns of a statement differ from the row type that it asserts. */
export function differencesOf({ place, row }: RawStatement, columns: Column[]): string[] {
  const sent = new Map(columns.map(({ name, dataTypeID }) => [name, dataTypeID]))
  const missing = [...row.keys()].filter((name) => !sent.has(name))
  const unknown = [...sent.keys()].filter((name) => !row.has(name))
  const otherwise = [...row].filter(([name, family]) => {
    const id = sent.get(name)
    if (id === undefined) return false
    if (family === 'number') return !numbers.includes(id)
    return family === 'boolean' ? id !== boolean : numbers.includes(id) || id === boolean
  })
  return [
    ...missing.map((name) => `${place}: no column ${name}`),
    ...unknown.map((name) => `${place}: a column ${name} that the type does not have`),
    ...otherwise.map(([name, family]) => `${place}: ${name} is not ${family}`),
  ]
}
