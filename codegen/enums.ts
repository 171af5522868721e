import { isNode } from './document.ts'
import { literal } from './literals.ts'
import type { Contract } from './model.ts'

/** Emits the values of every schema that is an enum, for code that needs all of them. */
export function emitEnums({ document }: Contract): string {
  const lines = Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => {
    const values = isNode(schema) ? schema.enum : undefined
    if (!Array.isArray(values)) return []
    return [`export const ${name} = [${values.map(literal).join(', ')}] as const`]
  })
  return `${lines.join('\n')}\n`
}
