import { type Kysely, sql } from 'kysely'
import { identityOf } from '../../../db/own_connection.ts'
import type { Database } from '../../../db/schema.ts'
import { document, documentIn } from '../document.ts'

/* Raw SQL: one statement for all queries, each with its own limit in the full-text index. */

type Candidates = readonly string[]

interface RememberedCandidates {
  changes: number
  candidates: Candidates
}

/** Queries with at most a few hundred ids each: some megabytes. */
const maxQueries = 500
const memories = new WeakMap<object, Map<string, RememberedCandidates>>()

interface CatalogueVersion {
  workspaceId: string
  /** Version of the catalogue. */
  changes: number
}

/**
 * The products that match each query, unsorted and at most `limit`: if a query reaches the limit, its word
 * is common, and which of its products are returned is arbitrary. The index reads the whole list of a
 * common word, so candidates are cached until the catalogue changes; the query that reads the products
 * checks whether they are still published.
 */
export async function listCandidates(
  db: Kysely<Database>,
  { workspaceId, changes }: CatalogueVersion,
  queries: readonly string[],
  limit: number,
): Promise<Candidates[]> {
  const memory = memoryOf(db)
  const keyOf = (query: string) => JSON.stringify([workspaceId, limit, query])
  const found = new Map<string, Candidates>()
  for (const query of queries) {
    const known = memory.get(keyOf(query))
    if (known?.changes === changes) found.set(query, known.candidates)
  }
  const missing = [...new Set(queries)].filter((query) => !found.has(query))
  const candidates = missing.length > 0 ? await readCandidates(db, workspaceId, missing, limit) : []
  for (const [index, query] of missing.entries()) {
    found.set(query, candidates[index]!)
    remember(memory, keyOf(query), { changes, candidates: candidates[index]! })
  }
  return queries.map((query) => found.get(query)!)
}

function memoryOf(db: Kysely<Database>): Map<string, RememberedCandidates> {
  const identity = identityOf(db)
  const memory = memories.get(identity) ?? new Map<string, RememberedCandidates>()
  memories.set(identity, memory)
  return memory
}

/** The oldest is forgotten first. */
function remember(
  memory: Map<string, RememberedCandidates>,
  key: string,
  entry: RememberedCandidates,
): void {
  memory.delete(key)
  memory.set(key, entry)
  if (memory.size > maxQueries) memory.delete(memory.keys().next().value!)
}

async function readCandidates(
  db: Kysely<Database>,
  workspaceId: string,
  queries: readonly string[],
  limit: number,
): Promise<string[][]> {
  const { rows } = await sql<{ term: number; id: string }>`
    select t.n::integer as term, hit.id
    from unnest(${queries}::text[]) with ordinality as t (query, n)
    cross join lateral (select p.id from products p
      where ${documentIn(workspaceId)} and p.status || '' = 'ACTIVE'
        and ${document} @@ t.query::tsquery limit ${limit}) hit
    `.execute(db)
  const candidates = queries.map((): string[] => [])
  for (const { term, id } of rows) candidates[term - 1]!.push(id)
  return candidates
}
