/** How much of something each holder (an account or an address) has, and all of them together. */
export interface Held {
  of(holder: string): number
  all(): number
  /** A holder that has nothing left is forgotten. */
  add(holder: string, amount: number): void
}

/** The basis of all bounds here: places, connections and bytes are counted by holder. */
export function createHeld(): Held {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    of: (holder) => amounts.get(holder) ?? 0,
    all: () => total,
    add(holder, amount) {
      total += amount
      const rest = (amounts.get(holder) ?? 0) + amount
      if (rest > 0) amounts.set(holder, rest)
      else amounts.delete(holder)
    },
  }
}
