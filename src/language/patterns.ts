import type { LanguagePack } from './pack.ts'
import type { Patterns, WordList } from './word_lists.ts'
import { packs } from './packs.ts'

/*
 * Patterns of every language at once, made of what the packs have. They are made when a module is loaded,
 * never for a call.
 */

type PackPart<Part> = (pack: LanguagePack) => Part | undefined

/** Finds nothing: what a pack leaves out must not match everything. */
const nothing = '(?!)'

/** The words of a list. */
export function entriesOf(list: WordList): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
}

/** The source of a pattern for the words that some packs list. */
export function wordSource(choose: PackPart<WordList>, of = packs): string {
  const entries = of.flatMap((pack) => entriesOf(choose(pack) ?? ''))
  return entries.map((entry) => entry.replaceAll('*', '\\w*')).join('|') || nothing
}

/** Finds whole words and phrases that packs list. */
export function anyWord(choose: PackPart<WordList>, flags = '', of = packs): RegExp {
  return new RegExp(`\\b(?:${wordSource(choose, of)})\\b`, flags)
}

/** The source of a pattern for what any pattern of some packs finds. */
export function patternSource(choose: PackPart<Patterns>, of = packs): string {
  const sources = of.flatMap((pack) => (choose(pack) ?? []).map(({ source }) => source))
  return sources.join('|') || nothing
}

/** Finds what any pattern of some packs finds. */
export function anyPattern(choose: PackPart<Patterns>, of = packs): RegExp {
  return new RegExp(patternSource(choose, of))
}
