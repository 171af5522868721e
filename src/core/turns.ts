import { setImmediate } from 'node:timers/promises'

/**
 * Maps one item after the other, and whatever else the process has to do gets its turn in between:
 * reading many long texts for one caller keeps nobody else waiting.
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
