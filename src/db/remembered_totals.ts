import { hash } from 'node:crypto'

/** A total and the version of the catalogue it was counted in. */
interface Remembered {
  changes: number
  total: Promise<number>
}

const maxRemembered = 5000
const memories = new WeakMap<object, Map<string, Remembered>>()

/**
 * Caches a total that no counter has, per version of the catalogue, under the hash of what was
 * counted, which may be long. Every call reads the version
 * from the database, so that each process notices the writes of others; concurrent callers share
 * one count.
 */
export function rememberedTotal(
  database: object,
  counted: string,
  changes: number,
  count: () => Promise<number>,
): Promise<number> {
  let memory = memories.get(database)
  if (!memory) memories.set(database, (memory = new Map<string, Remembered>()))
  const key = hash('sha256', counted, 'base64url')
  const cached = memory.get(key)
  // LRU: move to the end; the least recently used is evicted first.
  memory.delete(key)
  if (cached?.changes === changes) {
    memory.set(key, cached)
    return cached.total
  }
  const fresh: Remembered = { changes, total: count() }
  memory.set(key, fresh)
  fresh.total.catch(() => memory.get(key) === fresh && memory.delete(key))
  if (memory.size > maxRemembered) memory.delete(memory.keys().next().value!)
  return fresh.total
}
