/** A total with the state of the catalogue that it was counted in. */
interface Remembered {
  changes: number
  total: Promise<number>
}

const maxRemembered = 5000
const memories = new WeakMap<object, Map<string, Remembered>>()

/**
 * A total that no counter knows, counted once for each state of the catalogue. The state comes from
 * the database with every call, so that each process notices what another has written; callers who
 * ask for the same total at once wait for one count.
 */
export function rememberedTotal(
  db: object,
  key: string,
  changes: number,
  count: () => Promise<number>,
): Promise<number> {
  let memory = memories.get(db)
  if (!memory) memories.set(db, (memory = new Map<string, Remembered>()))
  const known = memory.get(key)
  // What was asked for last goes to the end; what nobody asks for any more is forgotten first.
  memory.delete(key)
  if (known?.changes === changes) {
    memory.set(key, known)
    return known.total
  }
  const fresh: Remembered = { changes, total: count() }
  memory.set(key, fresh)
  fresh.total.catch(() => memory.get(key) === fresh && memory.delete(key))
  if (memory.size > maxRemembered) memory.delete(memory.keys().next().value!)
  return fresh.total
}
