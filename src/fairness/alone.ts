/** How many failures are told: there may be one for each of thousands, and the first ones say why. */
const toldFailures = 10

/**
 * Does the work for each item, also after it has failed for others, and throws at the end what went
 * wrong: one tenant's bad row, or one slow table, must not keep housekeeping from all others.
 */
export async function eachAlone<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  message: string,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items)
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures.slice(0, toldFailures), message)
}
