import { createRequire } from 'node:module'
import type * as OpenApiTypescript from 'openapi-typescript'
import { follow } from './document.ts'
import type { Contract, Operation } from './model.ts'

/** Emits the types of every operation and schema. */
export async function emitTypes(contract: Contract): Promise<string> {
  // A property with a default is not optional in the types: the validator fills it in before the
  // handler sees the body. The library modifies its input, hence the copy.
  const document = structuredClone(contract.document) as unknown as OpenApiTypescript.OpenAPI3
  // Endpoints beside the operations have no handler, and so no types.
  delete document.components?.pathItems
  const { default: openapiTS, astToString } = loadLibrary()
  const types = astToString(await openapiTS(document, { silent: true, defaultNonNullable: true }))
  return `${types}${queryDefaults(contract)}`
}

/** The CommonJS build loads twice as fast as the ESM one, and loading dominates codegen's time. */
function loadLibrary(): typeof OpenApiTypescript {
  return createRequire(import.meta.url)('openapi-typescript') as typeof OpenApiTypescript
}

/** The library leaves query parameters optional, for callers; handlers find them filled in. */
function queryDefaults({ document, operations }: Contract): string {
  const defaultedNames = ({ parameters }: Operation) =>
    parameters
      .filter(({ value, at }) => {
        const schema = follow(document, at, value.schema ?? {}).value
        return value.in === 'query' && (value.schema?.default ?? schema.default) !== undefined
      })
      .map(({ value }) => JSON.stringify(value.name))
  const rows = operations.map((operation) => {
    const names = defaultedNames(operation)
    return `    ${operation.id}: ${names.length > 0 ? names.join(' | ') : 'never'};\n`
  })
  return [
    '/** Query parameters with a default, by operation: the validator fills them in. */',
    `export interface queryDefaults {\n${rows.join('')}}\n`,
  ].join('\n')
}
