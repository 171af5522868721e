import { hash } from 'node:crypto'

/** A value, and the version of the catalogue in which it was read. */
interface RememberedValue {
  changes: number
  value: Promise<unknown>
}

const maxRemembered = 5000
const memories = new WeakMap<object, Map<string, RememberedValue>>()

/**
 * Caches small values that are expensive to read, such as a total without a counter, by catalogue version
 * and a hash of the request, which may be long. Every call reads the version from the database, so each
 * process notices the writes of others; concurrent callers share one read.
 */
export function remembered<Value>(
  database: object,
  asked: string,
  changes: number,
  read: () => Promise<Value>,
): Promise<Value> {
  let memory = memories.get(database)
  if (!memory) memories.set(database, (memory = new Map<string, RememberedValue>()))
  const key = hash('sha256', asked, 'base64url')
  const cached = memory.get(key)
  // LRU: move to the end; the least recently used is evicted first.
  memory.delete(key)
  if (cached?.changes === changes) {
    memory.set(key, cached)
    return cached.value as Promise<Value>
  }
  const value = read()
  const fresh: RememberedValue = { changes, value }
  memory.set(key, fresh)
  value.catch(() => memory.get(key) === fresh && memory.delete(key))
  if (memory.size > maxRemembered) memory.delete(memory.keys().next().value!)
  return value
}
