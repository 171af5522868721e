import { createRequire } from 'node:module'
import type * as OpenApiTypescript from 'openapi-typescript'
import { follow } from './document.ts'
import type { Contract, Operation } from './model.ts'

/** Emits the types of every operation and schema. */
export async function emitTypes(contract: Contract): Promise<string> {
  // A property with a default is not optional in the types: the validator fills it before a handler
  // sees the body. The library changes the object that it is given, hence the copy.
  const document = structuredClone(contract.document) as unknown as OpenApiTypescript.OpenAPI3
  const { default: openapiTS, astToString } = loadLibrary()
  const types = astToString(await openapiTS(document, { silent: true, defaultNonNullable: true }))
  return `${types}${queryDefaults(contract)}`
}

/** Its CommonJS build loads twice as fast as the other, which is most of what codegen spends. */
function loadLibrary(): typeof OpenApiTypescript {
  return createRequire(import.meta.url)('openapi-typescript') as typeof OpenApiTypescript
}

/** To the library a query parameter stays optional, for callers; a handler finds it filled. */
function queryDefaults({ document, operations }: Contract): string {
  const filled = ({ parameters }: Operation) =>
    parameters
      .filter(({ value, at }) => {
        const schema = follow(document, at, value.schema ?? {}).value
        return value.in === 'query' && (value.schema?.default ?? schema.default) !== undefined
      })
      .map(({ value }) => JSON.stringify(value.name))
  const rows = operations.map((operation) => {
    const names = filled(operation)
    return `    ${operation.id}: ${names.length > 0 ? names.join(' | ') : 'never'};\n`
  })
  return [
    '/** The query parameters of each operation that the validator fills when they are left out. */',
    `export interface queryDefaults {\n${rows.join('')}}\n`,
  ].join('\n')
}
