/** How many failures are logged: there may be thousands, and the first ones show the reason. */
const toldFailures = 10

/**
 * Does the work for each item, even after failures, and throws them together at the end: one tenant's bad
 * row or one slow table must not keep housekeeping from all others.
 */
export async function eachAlone<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  message: string,
): Promise<void> {
  const failures: unknown[] = []
  try {
    for await (const item of items) {
      try {
        await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  } catch (error) {
    // There are no more items. What went wrong before is told with the reason.
    failures.unshift(error)
  }
  if (failures.length > 0) throw new AggregateError(failures.slice(0, toldFailures), message)
}
