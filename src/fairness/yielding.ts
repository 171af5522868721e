import { setImmediate } from 'node:timers/promises'

/**
 * Maps the items one by one and yields to the event loop in between, so that processing many long
 * texts for one caller does not block the others.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    await setImmediate()
  }
  return results
}

/** The first items that are wanted, at most so many; yields to the event loop after each item. */
export async function firstInTurns<Item>(
  items: readonly Item[],
  limit: number,
  isWanted: (item: Item) => boolean,
): Promise<Item[]> {
  const found: Item[] = []
  for (const item of items) {
    if (found.length === limit) break
    if (isWanted(item)) found.push(item)
    await setImmediate()
  }
  return found
}
