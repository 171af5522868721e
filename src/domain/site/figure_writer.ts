import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  addSiteCounts,
  addSiteVisitors,
  getSalt,
  listAsked,
  markAsked,
  type SiteCount,
  type SiteVisitor,
} from '../../queries/site/site_counts.ts'
import { type Arrival, type createDay, keyOf } from './day_of_sites.ts'

/** Who reads a page, as far as one day knows. */
export interface SiteReader {
  workspaceId: string
  address: string
  userAgent: string
}

/** What a process has counted since it last wrote. */
export interface FigureHeap {
  counts: Map<string, SiteCount>
  readers: Map<string, ReaderOfDay>
}

export interface ReaderOfDay {
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

/** What the figures of sites are written with. */
export interface FigureWriter {
  db: Kysely<Database>
  ofDay: ReturnType<typeof createDay>
  /** By day. */
  salts: Map<string, Promise<Buffer>>
}

/** Enough to tell browsers apart; a header is as long as its sender likes. */
const userAgentLength = 300

/** Writes what has come together, in one transaction. */
export async function writeFigures(
  writer: FigureWriter,
  { counts, readers }: FigureHeap,
): Promise<void> {
  const { db, ofDay } = writer
  const came: (ReaderOfDay & Arrival)[] = []
  for (const entry of readers.values()) {
    const { reader, day } = entry
    const from = await hashOf(writer, placeOf(reader), day)
    came.push({ ...entry, from, visitor: await visitorOf(writer, reader, day) })
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
      addCount(all, { workspaceId, day, meant, kind: 'visitor', name: '', count: 1 })
    }
    const askedBefore = new Set((await listAsked(trx, visitorsOf(clickers))).map(keyOf))
    for (const { visitor, meant, clicked, clickedBefore = Infinity } of clickers)
      for (const name of clicked.slice(askedBefore.has(keyOf(visitor)) ? 0 : clickedBefore)) {
        const { workspaceId, day } = visitor
        addCount(all, { workspaceId, day, meant, kind: 'asked_click', name, count: 1 })
      }
    await markAsked(trx, visitorsOf(asked))
    await addSiteCounts(trx, [...all.values()])
  })
  for (const arrival of arrivals) ofDay.learn(arrival)
}

/** A visitor is known by a hash of address and browser with the salt of the day. */
export async function visitorOf(
  writer: FigureWriter,
  reader: SiteReader,
  day: string,
): Promise<SiteVisitor> {
  const { workspaceId } = reader
  return { workspaceId, day, visitor: await hashOf(writer, nameOf(reader), day) }
}

async function hashOf(writer: FigureWriter, text: string, day: string): Promise<string> {
  const hash = createHmac('sha256', await saltOf(writer, day))
  return hash.update(text).digest('hex').slice(0, 32)
}

function saltOf({ db, salts }: FigureWriter, day: string): Promise<Buffer> {
  const known = salts.get(day)
  if (known) return known
  const salt = getSalt(db, { day, offered: randomBytes(32) })
  // Yesterday's is of use for the last second of the day, and no longer.
  for (const other of [...salts.keys()].slice(0, -1)) salts.delete(other)
  salts.set(day, salt)
  salt.catch(() => salts.delete(day))
  return salt
}

export function browserOf({ userAgent }: SiteReader): string {
  return userAgent.slice(0, userAgentLength)
}

const placeOf = ({ workspaceId, address }: SiteReader) => `${workspaceId}\n${address}`

export function nameOf(reader: SiteReader): string {
  return `${placeOf(reader)}\n${browserOf(reader)}`
}

export function addCount(counts: Map<string, SiteCount>, { count, ...of }: SiteCount): void {
  const key = `${of.workspaceId}\n${of.day}\n${of.meant}\n${of.kind}\n${of.name}`
  counts.set(key, { ...of, count: (counts.get(key)?.count ?? 0) + count })
}
