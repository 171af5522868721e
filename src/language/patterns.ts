import type { LanguagePack, Patterns, WordList } from './pack.ts'
import { packs } from './packs.ts'

/*
 * Patterns of every language at once, made of what the packs have. They are made when a module is loaded,
 * never for a call.
 */

type Choice<Part> = (pack: LanguagePack) => Part | undefined

const nothing = '(?!)'

/** The words of a list. */
export function entriesOf(list: WordList): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
}

/** The source of a pattern for the words of a list. */
export function listSource(list: WordList): string {
  return entriesOf(list)
    .map((entry) => entry.replaceAll('*', '\\w*'))
    .join('|')
}

/** The source of a pattern for the words that packs list. */
export function wordSource(choose: Choice<WordList>): string {
  const sources = packs.map((pack) => listSource(choose(pack) ?? '')).filter(Boolean)
  return sources.join('|') || nothing
}

/** Finds whole words and phrases that packs list. */
export function anyWord(choose: Choice<WordList>, flags = ''): RegExp {
  return new RegExp(`\\b(?:${wordSource(choose)})\\b`, flags)
}

/** The source of a pattern for what any of the packs' patterns finds. */
export function patternSource(choose: Choice<Patterns>): string {
  const sources = packs.flatMap((pack) => (choose(pack) ?? []).map(({ source }) => source))
  return sources.join('|') || nothing
}

/** Finds what any of the packs' patterns finds. */
export function anyPattern(choose: Choice<Patterns>): RegExp {
  return new RegExp(patternSource(choose))
}
