import { isDeepStrictEqual } from 'node:util'
import { isNode, type Schema } from '../document.ts'
import { limitsOf } from '../limits.ts'
import type { Rule } from '../model.ts'

/** The schemas by which one resource is written: `ProductCreate`, `ProductUpdate`, `ProductPatch`. */
const written = /^(.+)(?:Create|Update|Patch|Write)$/

/** With two limits for one field, a value could be created and never be saved again. */
const sameLimits: Rule = function* ({ document }) {
  const known = new Map<string, { owner: string; limits: object }>()
  for (const [owner, schema] of Object.entries(document.components?.schemas ?? {})) {
    const resource = written.exec(owner)?.[1]
    if (resource === undefined || !isNode(schema)) continue
    for (const [field, value] of Object.entries(schema.properties ?? {})) {
      const limits = limitsOf(document, value as Schema)
      const first = known.get(`${resource}.${field}`) ?? { owner, limits }
      known.set(`${resource}.${field}`, first)
      if (isDeepStrictEqual(first.limits, limits)) continue
      const at = ['components', 'schemas', owner, 'properties', field]
      const place = `#/components/schemas/${first.owner}/properties/${field}`
      yield { at, message: `has other limits than in ${first.owner}: write $ref: '${place}'` }
    }
  }
}

export const limitRules: readonly Rule[] = [sameLimits]
