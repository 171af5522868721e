import type { Schema } from '../document.ts'
import { mapSubschemas } from '../schemas.ts'
import { schemaComparison } from './schemas.ts'

export interface ReleasedTool {
  readonly name: string
  readonly inputSchema: Schema
  readonly outputSchema?: Schema
}

/** What breaks agents that know the tools in `before`. */
export function toolBreaks(
  before: readonly ReleasedTool[],
  after: readonly ReleasedTool[],
): string[] {
  const today = new Map(after.map((tool) => [tool.name, tool]))
  const compare = schemaComparison()
  return before.flatMap(({ name, inputSchema, outputSchema }) => {
    const now = today.get(name)
    if (now === undefined) return [`tool ${name}: is gone`]
    const input = (schema: Schema) => sideOf(without(told, schema))
    const answer = (schema: Schema = {}) => sideOf(without(bounds, schema))
    return [
      ...compare(input(inputSchema), input(now.inputSchema), `tool ${name}`, 'request'),
      ...compare(answer(outputSchema), answer(now.outputSchema), `tool ${name} answer`, 'answer'),
    ]
  })
}

const sideOf = (schema: Schema) => ({ document: {}, schema })

/**
 * Tools leave out what is not worth its tokens: defaults of arguments, bounds of answers. The
 * document of REST states both, and they are compared there.
 */
const told = /^default$/
const bounds =
  /^(?:(?:min|max)(?:Length|Items|Properties|imum)|exclusive(?:Min|Max)imum|uniqueItems|pattern|format)$/

function without(keywords: RegExp, schema: Schema): Schema {
  const kept = Object.entries(mapSubschemas(schema, (inner) => without(keywords, inner)))
  return Object.fromEntries(kept.filter(([keyword]) => !keywords.test(keyword)))
}
