import type { Kysely } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { beginningOf } from '../../core/text.ts'
import { dateIn } from '../../core/time.ts'
import { translateDatabaseError } from '../../db/constraints.ts'
import { writeOnTheSide } from '../../db/read_only.ts'
import type { Database } from '../../db/schema.ts'
import { type CountKind, deleteSiteVisitor } from '../../queries/site/site_counts.ts'
import { createDay, type Shortage } from './day_of_sites.ts'
import {
  addCount,
  browserOf,
  type FigureHeap,
  type FigureWriter,
  nameOf,
  type ReaderOfDay,
  type SiteReader,
  visitorOf,
  writeFigures,
} from './figure_writer.ts'
import { utcDay } from './visits.ts'

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
}

/** What the log says once a day, by what has run short. */
const shortages: Record<Shortage, string> = {
  shop: 'A shop has had more visitors today than this process tells apart: new ones are not counted there.',
  all: 'Shops have had more visitors today than this process tells apart: new ones are not counted anywhere.',
}

const madeUp = new Set<CountKind>(['missed', 'referrer'])

interface FigureParts {
  db: Kysely<Database>
  log: Log
  clock: () => Date
}

const newHeap = (): FigureHeap => ({ counts: new Map(), readers: new Map() })

/**
 * Adds up what visitors see, and writes it once a second for all shops together, so that a page costs
 * what it did before. A visitor is known by a hash of address and browser with the salt of the day, which
 * is deleted once the day is over: no cookie, and no trace from one day to the next.
 */
export function startSiteFigures({ db, log, clock }: FigureParts): SiteFigures {
  let heap = newHeap()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const ofDay = createDay((shortage, workspaceId) => log.warn({ workspaceId }, shortages[shortage]))
  const writer: FigureWriter = { db, ofDay, salts: new Map() }

  async function writeAll(): Promise<void> {
    const taken = heap
    if (taken.readers.size + taken.counts.size === 0) return
    heap = newHeap()
    try {
      if (!(await writeOnTheSide(db, () => writeFigures(writer, taken)))) putBack(taken)
    } catch (err) {
      const isAway = translateDatabaseError(err) instanceof ApiError
      log[isAway ? 'debug' : 'error']({ err }, 'Figures of sites were not noted.')
      // They wait for the database; the shops do not. What it refuses would be refused each time, with all
      // that comes later.
      if (isAway) putBack(taken)
    }
  }

  function putBack({ counts, readers }: FigureHeap): void {
    for (const count of counts.values())
      if (heap.counts.size < limits.counts) addCount(heap.counts, count)
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
        addCount(heap.counts, { workspaceId, day, meant, kind, name, count: 1 })
        if (kind === 'click') entry.clicked.push(name)
      }
      wake()
    },
    async forget(reader) {
      await flush()
      const visitor = await visitorOf(writer, reader, utcDay(clock()))
      ofDay.unlearn(visitor)
      await deleteSiteVisitor(db, visitor)
    },
    flush,
    stop: flush,
  }
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
