import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../../core/log.ts'
import { dateIn } from '../../core/time.ts'
import { writeOnTheSide } from '../../db/read_only.ts'
import type { Database } from '../../db/schema.ts'
import {
  addSiteCounts,
  addSiteVisitors,
  type CountKind,
  deleteSiteVisitor,
  getSalt,
  listAsked,
  markAsked,
  type SiteCount,
  type SiteVisitor,
} from '../../queries/site/site_counts.ts'
import { utcDay } from './visits.ts'

/** Who reads a page, as far as one day knows. */
export interface Reader {
  workspaceId: string
  address: string
  userAgent: string
}

/** What is counted of a page that a visitor reads. */
export type Seen = readonly [kind: CountKind, name: string][]

/** What happens on the shops' pages, counted in memory and written together. */
export interface SiteFigures {
  /** Notes what a visitor saw or did, and when in the shop's time zone. Costs no more than two entries in memory. */
  note(reader: Reader, seen: Seen, timeZone?: string | null): void
  /** Notes that the assistant has answered a visitor: later clicks of the day are counted as after it. */
  noteAnswer(reader: Reader): void
  /** Forgets that a visitor was here today; what they saw was counted without them. */
  forget(reader: Reader): Promise<void>
  /** Writes what has come together. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** What is lost at most when a process is killed. */
const flushMilliseconds = 1000

/** What a process keeps between two writes, and of a day; what is beyond is not told apart. */
const limits = {
  counts: 50_000,
  readers: 50_000,
  /** Of one reader between two writes: a person does not read more. */
  seenOfReader: 20,
  knownVisitors: 200_000,
  /** Names that strangers make up: words and hosts, of a shop and day. */
  namesOfShop: 200,
  names: 100_000,
  nameLength: 120,
  /** Enough to tell browsers apart; a header is as long as its sender likes. */
  userAgentLength: 300,
}

const madeUp = new Set<CountKind>(['missed', 'referrer'])

interface Parts {
  db: Kysely<Database>
  log: Log
  clock: () => Date
}

interface Heap {
  counts: Map<string, SiteCount>
  readers: Map<string, ReaderOfDay>
}

interface ReaderOfDay {
  reader: Reader
  day: string
  /** The date in the shop's time zone when they last saw something. */
  meant: string
  /** How much they saw. */
  seen: number
  /** The products whose sale links they followed, in this order. */
  clicked: string[]
  /** How many of these came before the assistant answered them; undefined if it did not. */
  clickedBefore: number | undefined
}

const newHeap = (): Heap => ({ counts: new Map(), readers: new Map() })

/**
 * Adds up what visitors see, and writes it once a second for all shops together, so that a page costs
 * what it did before. A visitor is known by a hash of address and browser with the salt of the day, which
 * is deleted once the day is over: no cookie, and no trace from one day to the next.
 */
export function startSiteFigures({ db, log, clock }: Parts): SiteFigures {
  let heap = newHeap()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const ofDay = createDay()
  const salts = new Map<string, Promise<Buffer>>()

  function saltOf(day: string): Promise<Buffer> {
    const known = salts.get(day)
    if (known) return known
    const salt = getSalt(db, { day, offered: randomBytes(32) })
    // Yesterday's is of use for the last second of the day, and no longer.
    for (const other of [...salts.keys()].slice(0, -1)) salts.delete(other)
    salts.set(day, salt)
    salt.catch(() => salts.delete(day))
    return salt
  }

  async function visitorOf(reader: Reader, day: string) {
    const { workspaceId } = reader
    const hash = createHmac('sha256', await saltOf(day))
    hash.update(nameOf(reader))
    return { workspaceId, day, visitor: hash.digest('hex').slice(0, 32) }
  }

  async function write({ counts, readers }: Heap): Promise<void> {
    const came: (ReaderOfDay & { visitor: SiteVisitor })[] = []
    for (const entry of readers.values())
      came.push({ ...entry, visitor: await visitorOf(entry.reader, entry.day) })
    const visitorsOf = (entries: typeof came) => entries.map(({ visitor }) => visitor)
    const visitors = visitorsOf(came).filter((visitor) => !ofDay.knows(visitor))
    const clickers = came.filter(({ clicked }) => clicked.length > 0)
    const asked = came.filter(({ clickedBefore }) => clickedBefore !== undefined)
    await db.transaction().execute(async (trx) => {
      const all = new Map(counts)
      const news = new Set((await addSiteVisitors(trx, visitors)).map(keyOf))
      for (const { visitor, meant } of came.filter((entry) => news.has(keyOf(entry.visitor)))) {
        const { workspaceId, day } = visitor
        add(all, { workspaceId, day, meant, kind: 'visitor', name: '', count: 1 })
      }
      const askedBefore = new Set((await listAsked(trx, visitorsOf(clickers))).map(keyOf))
      for (const { visitor, meant, clicked, clickedBefore = Infinity } of clickers)
        for (const name of clicked.slice(askedBefore.has(keyOf(visitor)) ? 0 : clickedBefore)) {
          const { workspaceId, day } = visitor
          add(all, { workspaceId, day, meant, kind: 'asked_click', name, count: 1 })
        }
      await markAsked(trx, visitorsOf(asked))
      await addSiteCounts(trx, [...all.values()])
    })
    for (const visitor of visitors) ofDay.learn(visitor)
  }

  async function writeAll(): Promise<void> {
    const taken = heap
    if (taken.readers.size + taken.counts.size === 0) return
    heap = newHeap()
    try {
      if (!(await writeOnTheSide(db, () => write(taken)))) putBack(taken)
    } catch (err) {
      // They wait for the database; the shops do not.
      log.debug({ err }, 'Figures of sites were not noted.')
      putBack(taken)
    }
  }

  function putBack({ counts, readers }: Heap): void {
    for (const count of counts.values())
      if (heap.counts.size < limits.counts) add(heap.counts, count)
    for (const [key, entry] of readers) {
      const later = heap.readers.get(key)
      if (later) heap.readers.set(key, joined(entry, later))
      else if (heap.readers.size < limits.readers) heap.readers.set(key, entry)
    }
    wake()
  }

  /** One write after the other: they would wait for each other's rows. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  /** Nothing runs while no visitor reads. */
  function wake(): void {
    if (timer !== undefined) return
    timer = setTimeout(() => void flush(), flushMilliseconds)
    timer.unref()
  }

  /** What is known of a reader since the last write; undefined if there are too many. */
  function entryOf(reader: Reader): ReaderOfDay | undefined {
    const day = utcDay(clock())
    const key = `${day}\n${nameOf(reader)}`
    const known = heap.readers.get(key)
    if (known || heap.readers.size >= limits.readers) return known
    const browser = { ...reader, userAgent: browserOf(reader) }
    const entry = {
      reader: browser,
      day,
      meant: day,
      seen: 0,
      clicked: [],
      clickedBefore: undefined,
    }
    heap.readers.set(key, entry)
    return entry
  }

  return {
    noteAnswer(reader) {
      const entry = entryOf(reader)
      if (!entry) return
      entry.clickedBefore ??= entry.clicked.length
      wake()
    },
    note(reader, seen, timeZone) {
      const { workspaceId } = reader
      const entry = entryOf(reader)
      if (!entry || entry.seen++ >= limits.seenOfReader) return
      const { day } = entry
      const meant = (entry.meant = dateIn(timeZone ?? 'UTC', clock()))
      for (const [kind, given] of seen) {
        const name = given.slice(0, limits.nameLength)
        if (heap.counts.size >= limits.counts) break
        if (madeUp.has(kind) && !ofDay.hasRoomFor({ workspaceId, day, kind, name })) continue
        add(heap.counts, { workspaceId, day, meant, kind, name, count: 1 })
        if (kind === 'click') entry.clicked.push(name)
      }
      wake()
    },
    async forget(reader) {
      await flush()
      const visitor = await visitorOf(reader, utcDay(clock()))
      ofDay.unlearn(visitor)
      await deleteSiteVisitor(db, visitor)
    },
    flush,
    stop: flush,
  }
}

function browserOf({ userAgent }: Reader): string {
  return userAgent.slice(0, limits.userAgentLength)
}

function nameOf(reader: Reader): string {
  return `${reader.workspaceId}\n${reader.address}\n${browserOf(reader)}`
}

const keyOf = ({ workspaceId, visitor }: SiteVisitor) => `${workspaceId} ${visitor}`

/** What a reader did, and what they did later. */
function joined(entry: ReaderOfDay, later: ReaderOfDay): ReaderOfDay {
  const { clicked, clickedBefore } = entry
  const laterBefore =
    later.clickedBefore === undefined ? undefined : clicked.length + later.clickedBefore
  return {
    ...later,
    clicked: [...clicked, ...later.clicked],
    clickedBefore: clickedBefore ?? laterBefore,
  }
}

function add(counts: Map<string, SiteCount>, { count, ...of }: SiteCount): void {
  const key = `${of.workspaceId}\n${of.day}\n${of.meant}\n${of.kind}\n${of.name}`
  counts.set(key, { ...of, count: (counts.get(key)?.count ?? 0) + count })
}

/** What a process knows of the current day: who came, and which names were made up. */
function createDay() {
  let current = ''
  const visitors = new Set<string>()
  const names = new Map<string, Set<string>>()
  let count = 0

  function turnTo(day: string): void {
    if (day === current) return
    current = day
    visitors.clear()
    names.clear()
    count = 0
  }
  return {
    knows(visitor: SiteVisitor): boolean {
      return visitor.day === current && visitors.has(keyOf(visitor))
    },
    learn(visitor: SiteVisitor): void {
      if (visitor.day < current) return
      turnTo(visitor.day)
      if (visitors.size < limits.knownVisitors) visitors.add(keyOf(visitor))
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
