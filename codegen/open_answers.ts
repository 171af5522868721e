import { isNode, type OpenApiDocument, type Schema } from './document.ts'
import { mapSubschemas } from './schemas.ts'

/**
 * The document as clients see it: schemas with `x-open` are open, so that a field may be added to an
 * answer. Inside the house they are closed, so that no answer has a field that is not described.
 */
export function withOpenAnswers(document: OpenApiDocument): OpenApiDocument {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    if (!isNode(schema) || schema['x-open'] !== true) return [name, schema] as const
    const unmarked = Object.entries(schema).filter(([keyword]) => keyword !== 'x-open')
    return [name, opened(Object.fromEntries(unmarked))] as const
  })
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  }
}

/** A schema and all that is written inside it; what it refers to has a mark of its own. */
function opened(schema: Schema): Schema {
  const { additionalProperties, unevaluatedProperties, ...rest } = mapSubschemas(schema, opened)
  return {
    ...rest,
    ...(isNode(additionalProperties) && { additionalProperties }),
    ...(isNode(unevaluatedProperties) && { unevaluatedProperties }),
  }
}
