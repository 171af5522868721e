import { hash } from 'node:crypto'
import anyAscii from 'any-ascii'

/**
 * Folds the case of any script. Upper-casing and then lower-casing folds ß to ss, but also the dotless i to
 * the dotted one. Lower-casing first catches capitals that this would miss.
 */
function foldedCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** Folds compatible forms, letter case and the dots of Turkish, for search. */
export function searchTextOf(text: string): string {
  return foldedCase(text.normalize('NFKC')).normalize('NFKC').replaceAll('i\u0307', 'i')
}

/** A LIKE pattern that matches a text anywhere; % and _ in it are escaped. */
export function likePatternOf(search: string): string {
  return `%${searchTextOf(search).replace(/[\\%_]/g, '\\$&')}%`
}

const maxSlug = 120

/**
 * Compatible forms as one, without the characters that Unicode lets a reader ignore. Marks that such a
 * character kept apart are put in order.
 */
function shownForm(value: string): string {
  return value
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .normalize('NFKC')
}

/** Folds letter case and the width of spaces; ı is a letter of its own. */
function foldedIdentity(text: string): string {
  const parts = text.split('ı')
  return parts.map(foldedCase).join('ı').normalize('NFKC').trim().replace(/\s+/gu, ' ')
}

/**
 * Folds compatible forms, letter case and the width of spaces. Case folds by Unicode's CaseFolding, without
 * the rules of any language: ı is a letter of its own, and İ is an i with a dot above.
 */
export function identityTextOf(value: string): string {
  return foldedIdentity(shownForm(value))
}

/** The same with case folded as in Turkish: İ is the capital of i, and I that of ı. */
function turkicTextOf(value: string): string {
  const turkic = shownForm(value).replaceAll('İ', 'i').replaceAll('I', 'ı')
  return foldedIdentity(turkic).replaceAll('i\u0307', 'i')
}

/** Two names with the same key count as equal. */
export function identityKeyOf(value: string): Buffer {
  return hash('sha256', identityTextOf(value), 'buffer')
}

/**
 * A second key: two names that share it count as equal, too. Null where it would add nothing to the first.
 */
export function turkicKeyOf(value: string): Buffer | null {
  const text = turkicTextOf(value)
  return /[iı]/.test(text) ? hash('sha256', text, 'buffer') : null
}

/** Two names that share either key count as equal. */
export function nameKeysOf(name: string): string[] {
  const keys = [identityKeyOf(name), turkicKeyOf(name)]
  return [...new Set(keys.flatMap((key) => key?.toString('hex') ?? []))]
}

/** Invisible characters, with which one name could be written in many ways. */
const invisible = /[\p{Cf}\p{DI}\u2800]/gu

const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Co}\p{M}\p{DI}\u2800]/u

/**
 * Whether a text would look empty: only spaces and control, zero-width or bidi characters. Marks without a
 * letter and private-use characters are not covered, because what they show depends on the screen.
 */
export function showsNothing(text: string): boolean {
  return !visible.test(text)
}

/** The canonical form of an integration's name, so that all its spellings count as one. */
export function integrationNameOf(name: string): string {
  const visible = searchTextOf(name.normalize('NFKC').replace(invisible, ''))
  return shortened(visible.trim().replace(/\s+/gu, ' '))
}

/** Shortens a text to fit an index; a long one keeps its beginning and gets a digest of the whole. */
export function shortened(text: string): string {
  if (text.length <= 400) return text
  const digest = hash('sha256', text, 'hex')
  return `${text.slice(0, 300).toWellFormed()}… ${digest}`
}

/** The beginning of a text, with at most this many UTF-16 units; never cuts a character in half. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

const maxModelText = 4000

/** Cuts what a model or a visitor said, and removes what PostgreSQL cannot store: NULs and half characters. */
export function storableText(text: string): string {
  return beginningOf(text, maxModelText).replaceAll('\0', '').toWellFormed()
}

/** A name in URL form: lower-case Latin letters and digits, words joined by hyphens. */
export function slugOf(name: string, fallback: string): string {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlug)
    .replace(/^-+|-+$/g, '')
  return words || fallback
}

/** Makes a slug unique with the end of an id, which is random; its beginning is a timestamp. */
export function suffixedSlug(slug: string, id: string): string {
  const suffix = id.slice(-8)
  return `${slug.slice(0, maxSlug - suffix.length - 1).replace(/-+$/, '')}-${suffix}`
}
