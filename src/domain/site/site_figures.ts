import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { beginningOf } from '../../core/text.ts'
import { dateIn } from '../../core/time.ts'
import { translateDatabaseError } from '../../db/constraints.ts'
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
import { type Arrival, createDay, keyOf } from './day_of_sites.ts'
import { utcDay } from './visits.ts'

/** Who reads a page, as far as one day knows. */
export interface SiteReader {
  workspaceId: string
  address: string
  userAgent: string
}

/** What is counted of a page that a visitor reads. */
export type Seen = readonly [kind: CountKind, name: string][]

/** What happens on the shops' pages, counted in memory and written together. */
export interface SiteFigures {
  /** Notes what a visitor saw or did, and when in the shop's time zone. Costs no more than two entries in memory. */
  note(reader: SiteReader, seen: Seen, timeZone?: string | null): void
  /** Notes that the assistant has answered a visitor: later clicks of the day are counted as after it. */
  noteAnswer(reader: SiteReader): void
  /** Forgets that a visitor was here today; what they saw was counted without them. */
  forget(reader: SiteReader): Promise<void>
  /** Writes what has come together. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** What is lost at most when a process is killed. */
const flushMilliseconds = 1000

/** What a process keeps between two writes; what is beyond is not told apart. */
const limits = {
  counts: 50_000,
  readers: 50_000,
  /** Of one reader between two writes: a person does not read more. */
  seenOfReader: 20,
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
  reader: SiteReader
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

  async function hashOf(text: string, day: string): Promise<string> {
    const hash = createHmac('sha256', await saltOf(day))
    return hash.update(text).digest('hex').slice(0, 32)
  }

  async function visitorOf(reader: SiteReader, day: string): Promise<SiteVisitor> {
    const { workspaceId } = reader
    return { workspaceId, day, visitor: await hashOf(nameOf(reader), day) }
  }

  async function write({ counts, readers }: Heap): Promise<void> {
    const came: (ReaderOfDay & Arrival)[] = []
    for (const entry of readers.values()) {
      const { reader, day } = entry
      const from = await hashOf(placeOf(reader), day)
      came.push({ ...entry, from, visitor: await visitorOf(reader, day) })
    }
    const visitorsOf = (entries: readonly Arrival[]) => entries.map(({ visitor }) => visitor)
    const arrivals = ofDay.arrivalsAmong(came)
    const visitors = visitorsOf(arrivals)
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
    for (const arrival of arrivals) ofDay.learn(arrival)
  }

  async function writeAll(): Promise<void> {
    const taken = heap
    if (taken.readers.size + taken.counts.size === 0) return
    heap = newHeap()
    try {
      if (!(await writeOnTheSide(db, () => write(taken)))) putBack(taken)
    } catch (err) {
      const isAway = translateDatabaseError(err) instanceof ApiError
      log[isAway ? 'debug' : 'error']({ err }, 'Figures of sites were not noted.')
      // They wait for the database; the shops do not. What it refuses would be refused each time, with all
      // that comes later.
      if (isAway) putBack(taken)
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
  function entryOf(reader: SiteReader): ReaderOfDay | undefined {
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
        // The database refuses half a character.
        const name = beginningOf(given, limits.nameLength).toWellFormed()
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

function browserOf({ userAgent }: SiteReader): string {
  return userAgent.slice(0, limits.userAgentLength)
}

const placeOf = ({ workspaceId, address }: SiteReader) => `${workspaceId}\n${address}`

function nameOf(reader: SiteReader): string {
  return `${placeOf(reader)}\n${browserOf(reader)}`
}

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
