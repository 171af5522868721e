import type { SiteCount, SiteVisitor } from '../../queries/site/site_counts.ts'

/** What a process keeps of a day; what is beyond is not told apart. */
export const mostOfDay = {
  knownVisitors: 200_000,
  knownAddresses: 200_000,
  /**
   * Visitors and addresses of a shop for which there is room whatever comes to others. Beyond it a shop has room in
   * the first half alone, or a flood at one would end the counting at all of them.
   */
  shareOfShop: 5_000,
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

/** Whether addresses that come now are not counted at one shop, which had more than its share, or at any. */
export type Shortage = 'shop' | 'all'

/** What is known of a shop's day: its visitors, and how many of them came from each address. */
interface DayOfShop {
  visitors: Set<string>
  from: Map<string, number>
}

/** What a process knows of the current day: who came, and which names were made up. */
export function createDay(
  tell: (shortage: Shortage, workspaceId: string) => void = () => {},
  limits = mostOfDay,
) {
  let current = ''
  const shops = new Map<string, DayOfShop>()
  const names = new Map<string, Set<string>>()
  const told = new Set<Shortage>()
  let [visitors, addresses, count] = [0, 0, 0]

  function turnTo(day: string): void {
    if (day === current) return
    current = day
    shops.clear()
    names.clear()
    told.clear()
    ;[visitors, addresses, count] = [0, 0, 0]
  }

  function shopOf(workspaceId: string): DayOfShop {
    const shop = shops.get(workspaceId) ?? { visitors: new Set(), from: new Map() }
    shops.set(workspaceId, shop)
    return shop
  }
  const knows = ({ workspaceId, day, visitor }: SiteVisitor) =>
    day === current && shops.get(workspaceId)?.visitors.has(visitor) === true

  /** Half of the room is for the visitors who come first, the other half for shops that have not had their share. */
  const hasRoom = (inAll: number, ofShop: number, most: number) =>
    inAll < most / 2 || (inAll < most && ofShop < limits.shareOfShop)

  /** How many visitors came from an address. Once too many addresses are known, no others are counted. */
  function knownFrom({ visitor: { workspaceId }, from }: Arrival): number {
    const shop = shops.get(workspaceId)
    const known = shop?.from.get(from)
    if (known !== undefined || hasRoom(addresses, shop?.from.size ?? 0, limits.knownAddresses))
      return known ?? 0
    const shortage = addresses < limits.knownAddresses ? 'shop' : 'all'
    if (!told.has(shortage)) tell(shortage, workspaceId)
    told.add(shortage)
    return limits.visitorsOfAddress
  }

  return {
    /** Who has not been here, less those of an address that are too many. */
    arrivalsAmong<Came extends Arrival>(came: readonly Came[]): Came[] {
      const more = new Map<string, number>()
      return came.filter((arrival) => {
        const { visitor, from } = arrival
        if (knows(visitor)) return false
        const known = visitor.day === current ? knownFrom(arrival) : 0
        const place = known + (more.get(from) ?? 0) + 1
        more.set(from, place - known)
        return place <= limits.visitorsOfAddress
      })
    },
    learn({ visitor, from }: Arrival): void {
      if (visitor.day < current) return
      turnTo(visitor.day)
      const shop = shopOf(visitor.workspaceId)
      if (!knows(visitor) && hasRoom(visitors, shop.visitors.size, limits.knownVisitors)) {
        shop.visitors.add(visitor.visitor)
        visitors++
      }
      // Addresses are counted beyond the known visitors, or each could be any number of visitors from then on.
      const known = shop.from.get(from)
      if (known === undefined && !hasRoom(addresses, shop.from.size, limits.knownAddresses)) return
      if (known === undefined) addresses++
      shop.from.set(from, (known ?? 0) + 1)
    },
    unlearn({ workspaceId, visitor }: SiteVisitor): void {
      if (shops.get(workspaceId)?.visitors.delete(visitor)) visitors--
    },
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
