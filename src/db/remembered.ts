import { hash } from 'node:crypto'

/** What was read, and the version of the catalogue it was read in. */
interface Remembered {
  changes: number
  value: Promise<unknown>
}

const maxRemembered = 5000
const memories = new WeakMap<object, Map<string, Remembered>>()

/**
 * Caches what is dear to read and small, such as a total that no counter has, per version of the
 * catalogue, under the hash of what was asked for, which may be long. Every call reads the version
 * from the database, so that each process notices the writes of others; concurrent callers share
 * one read.
 */
export function remembered<Value>(
  database: object,
  asked: string,
  changes: number,
  read: () => Promise<Value>,
): Promise<Value> {
  let memory = memories.get(database)
  if (!memory) memories.set(database, (memory = new Map<string, Remembered>()))
  const key = hash('sha256', asked, 'base64url')
  const cached = memory.get(key)
  // LRU: move to the end; the least recently used is evicted first.
  memory.delete(key)
  if (cached?.changes === changes) {
    memory.set(key, cached)
    return cached.value as Promise<Value>
  }
  const value = read()
  const fresh: Remembered = { changes, value }
  memory.set(key, fresh)
  value.catch(() => memory.get(key) === fresh && memory.delete(key))
  if (memory.size > maxRemembered) memory.delete(memory.keys().next().value!)
  return value
}
