import type { components } from '../generated/types.ts'
import { readContract } from './contract_documents.ts'

type Schemas = components['schemas']
type Examples = Partial<Record<string, { value: unknown }>>

let examples: Examples | undefined

/** The contract's own example of a schema, which codegen has validated. */
export function exampleOf<Name extends keyof Schemas>(name: Name): Schemas[Name] {
  examples ??= (readContract() as unknown as { components: { examples: Examples } }).components
    .examples
  const example = examples[name]
  if (!example) throw new Error(`The contract has no example of ${name}.`)
  return structuredClone(example.value) as Schemas[Name]
}
