import type { SiteCount, SiteVisitor } from '../../queries/site/site_counts.ts'

/** What a process keeps of a day; what is beyond is not told apart. */
const limits = {
  knownVisitors: 200_000,
  knownAddresses: 200_000,
  /** Of one address, at a shop: an office, or a carrier. A program can name any number of browsers. */
  visitorsOfAddress: 300,
  /** Names that strangers make up: words and hosts, of a shop. */
  namesOfShop: 200,
  names: 100_000,
}

/** A visitor, and a hash of the shop and the address that they came from. */
export interface Arrival {
  visitor: SiteVisitor
  from: string
}

export const keyOf = ({ workspaceId, visitor }: SiteVisitor) => `${workspaceId} ${visitor}`

/** What a process knows of the current day: who came, and which names were made up. */
export function createDay() {
  let current = ''
  const visitors = new Set<string>()
  const visitorsFrom = new Map<string, number>()
  const names = new Map<string, Set<string>>()
  let count = 0

  function turnTo(day: string): void {
    if (day === current) return
    current = day
    visitors.clear()
    visitorsFrom.clear()
    names.clear()
    count = 0
  }
  const knows = (visitor: SiteVisitor) => visitor.day === current && visitors.has(keyOf(visitor))

  /** How many visitors came from an address. Once too many addresses are known, no others are counted. */
  function knownFrom(from: string): number {
    const isFull = visitorsFrom.size >= limits.knownAddresses
    return visitorsFrom.get(from) ?? (isFull ? limits.visitorsOfAddress : 0)
  }

  return {
    /** Who has not been here, less those of an address that are too many. */
    arrivalsAmong<Came extends Arrival>(came: readonly Came[]): Came[] {
      const more = new Map<string, number>()
      return came.filter(({ visitor, from }) => {
        if (knows(visitor)) return false
        const known = visitor.day === current ? knownFrom(from) : 0
        const place = known + (more.get(from) ?? 0) + 1
        more.set(from, place - known)
        return place <= limits.visitorsOfAddress
      })
    },
    learn({ visitor, from }: Arrival): void {
      if (visitor.day < current) return
      turnTo(visitor.day)
      if (visitors.size < limits.knownVisitors) visitors.add(keyOf(visitor))
      // Addresses are counted beyond the known visitors, or each could be any number of visitors from then on.
      if (visitorsFrom.has(from) || visitorsFrom.size < limits.knownAddresses)
        visitorsFrom.set(from, (visitorsFrom.get(from) ?? 0) + 1)
    },
    unlearn: (visitor: SiteVisitor) => void visitors.delete(keyOf(visitor)),
    hasRoomFor({ workspaceId, day, kind, name }: Omit<SiteCount, 'count' | 'meant'>): boolean {
      turnTo(day)
      const key = `${workspaceId} ${kind}`
      const known = names.get(key) ?? new Set<string>()
      names.set(key, known)
      if (known.has(name)) return true
      if (known.size >= limits.namesOfShop || count >= limits.names) return false
      known.add(name)
      count++
      return true
    },
  }
}
