import type { Need, NeedKind } from './need_words.ts'
import {
  anyPlain,
  anyType,
  isOf,
  kindByNeed,
  kinds,
  nounOf,
  plain,
  readable,
  type TypePatterns,
  typesIn,
} from './need_patterns.ts'
import { anyPattern, anyWord, wordSource } from './patterns.ts'
import { wordsOf } from './words.ts'

/* Reads needs in what visitors say and in the texts of products: see `need_words.ts`. */

const unsuited = anyPattern((pack) => pack.needs.unsuited)
const warning = anyWord(({ products }) => products.warning)
const praise = new RegExp(anyPattern((pack) => pack.needs.praise).source, 'g')
const applied = anyPattern((pack) => pack.needs.applied)
const segmentEnd = new RegExp(
  `(?<=[.!?])\\s+|\\n+|[;()]| - |,? (?:${wordSource(({ products }) => products.contrasts)}) `,
)
/** What joins a type to what is said of another: all that is left of its clause. */
const connecting = new RegExp(
  `\\b(?:for|icin|also|${wordSource((pack) => pack.needs.joins)})\\b`,
  'g',
)

interface Mention {
  need: Need
  start: number
  end: number
}

function mentionsOf(need: Need, pattern: RegExp, text: string): Mention[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    need,
    start: index,
    end: index + found.length,
  }))
}

/** What a product says that it is for. */
export interface Suited {
  to: ReadonlySet<Need>
  notTo: ReadonlySet<Need>
  /** The kinds of needs of which it suits all that it does not exclude. */
  toAll: ReadonlySet<NeedKind>
}

const everyKind = kinds.map((kind): [NeedKind, RegExp] => {
  if (kind === 'skin' || kind === 'sensitivity')
    return [kind, anyPattern((pack) => pack.needs.bearers.skin.every)]
  if (kind === 'scalp' || kind === 'strand' || kind === 'curl')
    return [kind, anyPattern((pack) => pack.needs.bearers.hair.every)]
  return [kind, anyPattern((pack) => pack.needs.every[kind])]
})

/** What the texts of a product say that it is for; a name or a tag says it by a word. */
export function suitedIn(texts: readonly string[], names: readonly string[] = []): Suited {
  const found = { to: new Set<Need>(), notTo: new Set<Need>(), toAll: new Set<NeedKind>() }
  for (const text of [...names, ...texts])
    for (const segment of readable(text).split(segmentEnd)) readSegment(found, segment.trim())
  for (const name of names)
    for (const { need, names: pattern } of plain)
      if (readable(name).search(pattern) >= 0) found.to.add(need)
  return found
}

interface Reading {
  to: Set<Need>
  notTo: Set<Need>
  toAll: Set<NeedKind>
}

function readSegment({ to, notTo, toAll }: Reading, segment: string): void {
  for (const [kind, pattern] of everyKind)
    if (pattern.test(segment) && !speaksAgainst(segment)) toAll.add(kind)
  if (anyType.test(segment)) readTypes({ to, notTo }, segment)
  if (!anyPlain.test(segment)) return
  for (const { need, names, says } of plain) {
    for (const mention of mentionsOf(need, names, segment))
      if (speaksAgainst(clauseAround(segment, mention))) notTo.add(need)
    if (!notTo.has(need) && segment.search(says) >= 0) to.add(need)
  }
}

function readTypes({ to, notTo }: Omit<Reading, 'toAll'>, segment: string): void {
  for (const { need, bearer, named, toldOfPeople, bare, alone, excepted } of typesIn(segment)) {
    const isException = isOf(bearer, segment) && segment.search(excepted) >= 0
    if (isException) notTo.add(need)
    const others = [named, toldOfPeople, bare].flatMap((by) => mentionsOf(need, by, segment))
    if (isOf(bearer, segment)) others.push(...mentionsOf(need, alone, segment))
    for (const mention of isException ? [] : others) {
      if (speaksAgainst(clauseAround(segment, mention))) notTo.add(need)
      else if (!isApplied(segment, mention)) to.add(need)
    }
  }
}

function speaksAgainst(clause: string): boolean {
  const text = clause.replace(praise, ' ')
  return unsuited.test(text) || warning.test(text)
}

/** The clause of a mention; all of the segment if there is nothing else in it: "not for dry, oily skin". */
function clauseAround(segment: string, mention: Mention): string {
  const [before, said, after] = around(segment, mention)
  const head = before.slice(before.lastIndexOf(',') + 1)
  const [tail = ''] = after.split(',')
  const isAlone = (head + tail).replace(connecting, ' ').trim() === ''
  return isAlone ? before + said + after : head + said + tail
}

/** A clause is hardly ever longer; a text without an end is not read again for each mention. */
const longestClause = 200

/** What a segment says before a mention, the mention, and what it says then. */
function around(segment: string, { start, end }: Mention): [string, string, string] {
  return [
    segment.slice(Math.max(0, start - longestClause), start),
    segment.slice(start, end),
    segment.slice(end, end + longestClause),
  ]
}

const dry: ReadonlySet<Need> = new Set<Need>(['dry_skin', 'dry_hair'])

/** "Apply to dry skin" says nothing of its type. */
function isApplied(segment: string, mention: Mention): boolean {
  if (!dry.has(mention.need)) return false
  const [before, said, after] = around(segment, mention)
  return applied.test(`${before}<${said}>${after}`)
}

/** What a visitor needs a product for. */
export interface AskedNeeds {
  wanted: Set<Need>
  denied: Set<Need>
  /** The words by which types are said, each with its need; null if it is denied. */
  words: Map<string, Need | null>
}

const lineEnd = new RegExp(
  `[.;!?\\n()]+|,? (?:${wordSource(({ products }) => products.contrasts)}) `,
)

export function needsAsked(text: string): AskedNeeds {
  const found: AskedNeeds = { wanted: new Set(), denied: new Set(), words: new Map() }
  const whole = readable(text)
  if (!anyType.test(whole) && !anyPlain.test(whole)) return found
  const isOfHair = nounOf.hair.test(whole) && !nounOf.skin.test(whole)
  for (const line of whole.split(lineEnd)) {
    const parts = line.split(',').map((part) => part.trim())
    if (anyType.test(line))
      for (const type of typesIn(line))
        readAsked(found, type, { line: line.trim(), parts, isOfHair })
    if (anyPlain.test(line))
      for (const { need, asks } of plain) if (asks.test(line)) found.wanted.add(need)
  }
  for (const need of found.denied) found.wanted.delete(need)
  return found
}

interface AskedLine {
  line: string
  parts: readonly string[]
  isOfHair: boolean
}

function readAsked(
  found: AskedNeeds,
  type: TypePatterns,
  { line, parts, isOfHair }: AskedLine,
): void {
  const { need, bearer, named, told, bare, alone, denied, name } = type
  const say = (text: string, of: Need | null) => {
    for (const word of wordsOf(name.exec(text)?.[0] ?? ''))
      if (found.words.get(word) !== null) found.words.set(word, of)
  }
  const textsOf = (pattern: RegExp, text = line) => text.match(pattern) ?? []
  for (const text of isOf(bearer, line) ? textsOf(denied) : []) {
    found.denied.add(need)
    say(text, null)
  }
  const said = [...textsOf(named), ...textsOf(told)]
  for (const text of said) {
    found.wanted.add(need)
    say(text, need)
  }
  if (textsOf(alone).length > 0 && isOf(bearer, line)) found.wanted.add(need)
  for (const text of parts.flatMap((part) => textsOf(bare, part))) {
    const own = isOfHair ? ofHair(need) : need
    found.wanted.add(own)
    say(text, own)
  }
}

/** The type of hair that has the name of a type of skin. */
function ofHair(need: Need): Need {
  const other = need.replace('_skin', '_hair') as Need
  return kindByNeed.has(other) ? other : need
}
