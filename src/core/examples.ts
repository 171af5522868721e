import document from '../generated/openapi.json' with { type: 'json' }
import type { components } from '../generated/types.ts'

type Schemas = components['schemas']
type Examples = typeof document.components.examples

/** The contract's own example of a schema, which codegen has validated. */
export function exampleOf<Name extends keyof Examples & keyof Schemas>(name: Name): Schemas[Name] {
  return document.components.examples[name].value as unknown as Schemas[Name]
}
