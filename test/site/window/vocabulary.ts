import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/*
 * schema.org's own vocabulary, as it is published for TypeScript: an interface lists a type's properties
 * and the types that it inherits from, `…Base` those of the ones that others inherit from.
 */

interface Entry {
  parents: string[]
  properties: Set<string>
}

const source = readFileSync(
  createRequire(import.meta.url).resolve('schema-dts/dist/schema.d.ts'),
  'utf8',
)

const entries = new Map<string, Entry>()
const declaration = /interface (\w+)(?: extends ([^{]+))? \{([^}]*(?:\}(?!\n)[^}]*)*)\}\n/g
for (const [, name = '', parents = '', body = ''] of source.matchAll(declaration))
  entries.set(name, {
    parents: parents.split(',').map((each) => each.trim()),
    properties: new Set([...body.matchAll(/^ {4}"([\w@]+)"\??:/gm)].map(([, key]) => key!)),
  })

function hasProperty(name: string, property: string): boolean {
  const entry = entries.get(name)
  if (!entry) return false
  return entry.properties.has(property) || entry.parents.some((each) => hasProperty(each, property))
}

const always = new Set(['@context', '@id', '@type'])

/** What the vocabulary does not know in these facts, with its place. */
export function unknownIn(facts: unknown, place = ''): string[] {
  if (Array.isArray(facts)) return facts.flatMap((each) => unknownIn(each, place))
  if (typeof facts !== 'object' || facts === null) return []
  const type = (facts as { '@type'?: string })['@type'] ?? ''
  const at = `${place}/${type}`
  if (!entries.has(`${type}Leaf`)) return [`${at} is no type`]
  return Object.entries(facts).flatMap(([name, value]) => {
    if (always.has(name)) return []
    return hasProperty(`${type}Leaf`, name) ? unknownIn(value, `${at}.${name}`) : [`${at}.${name}`]
  })
}
