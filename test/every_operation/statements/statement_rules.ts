/*
 * Whether a statement runs on one shard. In a database that is distributed by workspace, it does if
 * every table of a workspace in it is compared with the workspace, given as a parameter, and if it
 * names no table that is kept elsewhere.
 */

/** What a table is distributed by; undefined for a table that is kept whole. */
export type Places = Record<string, string | undefined>

/** A table in the FROM clause of a query, or the target of an update or a delete. */
interface Reference {
  table: string
  name: string
}

/** What keeps a statement from one shard; none for a statement that runs on one. */
export function violationsOf(statement: string, places: Places): string[] {
  const text = plain(statement)
  const named = new Set(scopesOf(text).flatMap((scope) => tablesIn(scope, places)))
  const kinds = new Set([...named].map((table) => places[table] ?? 'whole'))
  const mixed = kinds.size > 1 ? [`names ${[...named].sort().join(', ')}, kept apart`] : []
  return [...mixed, ...scopesOf(text).flatMap((scope) => unboundIn(scope, places))]
}

function tablesIn(scope: string, places: Places): string[] {
  const inserted = insertionIn(scope)?.table
  const tables = referencesIn(scope).map(({ table }) => table)
  return [...tables, ...(inserted === undefined ? [] : [inserted])].filter((table) =>
    Object.hasOwn(places, table),
  )
}

/** The text without quotes, strings and superfluous spaces. */
function plain(statement: string): string {
  return statement
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/ ?, ?/g, ',')
    .replace(/(?<=\() | (?=\))/g, '')
    .trim()
    .toLowerCase()
}

/** The statement and each query inside it, without the queries inside those. */
function scopesOf(text: string): string[] {
  const scopes: string[] = []
  let own = ''
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '(') {
      own += text[at]
      continue
    }
    const end = closingOf(text, at)
    const [inner = '', ...deeper] = scopesOf(text.slice(at + 1, end))
    const isQuery = /^(select|with|insert|update|delete)\b/.test(inner)
    own += isQuery ? '()' : `(${inner})`
    scopes.push(...(isQuery ? [inner, ...deeper] : deeper))
    at = end
  }
  return [own, ...scopes]
}

function closingOf(text: string, opening: number): number {
  let depth = 0
  for (let at = opening; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at
  }
  throw new Error(`A parenthesis is not closed: ${text}`)
}

const afterName =
  'set|where|on|using|join|left|right|full|inner|cross|order|group|limit|returning|for'
const tableName = `(?:only )?(\\w+)(?: (?:as )?(?!(?:${afterName})\\b)(\\w+))?`
const clause =
  /\b(?:from|using) (.*?)(?=\b(?:where|set|group by|order by|limit|returning|for (?:update|no|key|share)|union|on conflict)\b|$)/g

function referencesIn(scope: string): Reference[] {
  const references: Reference[] = []
  const add = (table = '', alias?: string) => references.push({ table, name: alias ?? table })
  for (const [, table, alias] of scope.matchAll(new RegExp(`\\bupdate ${tableName} set\\b`, 'g')))
    add(table, alias)
  for (const [, tables = ''] of scope.matchAll(clause)) {
    const outermost = withoutParentheses(tables)
    const sources = new RegExp(`(?:^|,|\\bjoin )(?:lateral )?${tableName}`, 'g')
    for (const [, table, alias] of outermost.matchAll(sources)) add(table, alias)
  }
  return references
}

function withoutParentheses(text: string): string {
  const opening = text.indexOf('(')
  if (opening === -1) return text
  const rest = text.slice(closingOf(text, opening) + 1)
  return `${text.slice(0, opening)}()${withoutParentheses(rest)}`
}

/** An insert: its table, its columns, and what the first row has for each. */
function insertionIn(scope: string): { table: string; values: Map<string, string> } | undefined {
  const [whole, table = '', columns = ''] =
    /\binsert into (\w+)(?: as \w+)? ?\(([^()]*)\)/.exec(scope) ?? []
  if (whole === undefined) return undefined
  const rest = scope.slice(scope.indexOf(whole) + whole.length)
  const listed = /^ ?values ?\(/.test(rest)
    ? rest.slice(rest.indexOf('(') + 1, closingOf(rest, rest.indexOf('(')))
    : rest.replace(/^ ?select (?:distinct )?/, '')
  const values = partsOf(listed)
  return { table, values: new Map(columns.split(',').map((name, at) => [name, values[at] ?? ''])) }
}

/** The parts of a list, which commas inside parentheses do not divide. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of list) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(parts.pop()! + character)
  }
  return parts
}

const parameter = /^\$\d+(::\w+)?( |$)/

/** A comparison of a column with a parameter that is no mere alternative. */
function comparison(column: string): RegExp {
  return new RegExp(`(?<!\\bor )(?<![\\w.])${column} = \\$\\d+(?:::\\w+)?(?![:\\w])(?! or\\b)`)
}

function unboundIn(scope: string, places: Places): string[] {
  const references = referencesIn(scope).filter(({ table }) => places[table] !== undefined)
  const conditions = scope.replace(/ set .*?(?= (?:from|where|returning)\b|$)/g, '')
  const problems = references
    .filter(({ table, name }) => {
      const prefix = references.length === 1 ? `(?:${name}\\.)?` : `${name}\\.`
      return !comparison(prefix + places[table]!).test(conditions)
    })
    .map(({ table }) => `does not compare ${places[table]} of ${table} with a parameter`)
  const insertion = insertionIn(scope)
  const column = insertion && places[insertion.table]
  if (column === undefined) return problems
  // A column that the statement must compare, by the rule above, has the parameter's value.
  const value = insertion!.values.get(column) ?? ''
  const isCompared = references.some(({ table, name }) => value === `${name}.${places[table]!}`)
  if (isCompared || parameter.test(value)) return problems
  return [...problems, `does not insert ${column} of ${insertion!.table} from a parameter`]
}
