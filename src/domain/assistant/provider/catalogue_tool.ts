import type { Kysely } from 'kysely'
import type { ModelTool } from '../../../adapters/language_model.ts'
import type { Database } from '../../../db/schema.ts'
import type { AiShop } from '../ai_model.ts'
import { block, shownWithin } from './prompts.ts'
import { findProductsFor } from '../finding/retrieval.ts'
import type { ShownSources } from './sources.ts'

/** Products that one search shows. */
const maxFound = 6
const longestQuery = 200

/**
 * Lets a model search the published catalogue. What it finds becomes citable. Calls and sizes are
 * bounded for the whole answer, whether the model calls one by one or all at once.
 */
export function searchTool(
  db: Kysely<Database>,
  shop: AiShop,
  sources: ShownSources,
  { searches, foundSize }: { searches: number; foundSize: number },
): ModelTool {
  let left = searches
  const size = Math.floor(foundSize / searches)
  return {
    name: 'search_catalogue',
    description: 'Finds published products by words: kinds, uses, properties, ingredients, names.',
    schema: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: longestQuery } },
      required: ['query'],
      additionalProperties: false,
    },
    maxCalls: searches,
    async run(input) {
      if (left === 0) return 'No searches are left. Answer now, from what you have.'
      left--
      const query = queryOf(input)
      if (query === undefined) return 'Send {"query": words to search for}.'
      const products = await findProductsFor(db, shop, query, maxFound)
      return block('catalogue', shownWithin(sources, products, size))
    },
  }
}

function queryOf(input: unknown): string | undefined {
  const query = (input as { query?: unknown } | null)?.query
  return typeof query === 'string' ? query.slice(0, longestQuery) : undefined
}
