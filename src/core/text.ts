import { hash } from 'node:crypto'
import anyAscii from 'any-ascii'

/**
 * A text as searches compare it: compatible forms and letter cases of any script folded. Through
 * upper case and back, because only that joins ß with ss and the dotless with the dotted i; lower
 * case before it, because some capitals know no other way to their small form.
 */
export function searchTextOf(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  return folded.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
}

/** The pattern that finds a text anywhere; its own % and _ stand for themselves. */
export function likePatternOf(search: string): string {
  return `%${searchTextOf(search).replace(/[\\%_]/g, '\\$&')}%`
}

const maxSlug = 120

/** What makes two names the same: compatible forms, case and the width of spaces do not count. */
export function identityKeyOf(value: string): Buffer {
  const normalised = searchTextOf(value).trim().replace(/\s+/gu, ' ')
  return hash('sha256', normalised, 'buffer')
}

/** Characters that leave no trace on the page; with them one name could be written in many ways. */
const invisible = /[\p{Cf}\p{DI}\u2800]/gu

/** A name of an integration as it is recognised again, however it is written. */
export function integrationNameOf(name: string): string {
  const visible = searchTextOf(name.normalize('NFKC').replace(invisible, ''))
  return shortened(visible.trim().replace(/\s+/gu, ' '))
}

/** A text of a length that an index takes; a long one keeps its beginning and a digest of it all. */
export function shortened(text: string): string {
  if (text.length <= 400) return text
  const digest = hash('sha256', text, 'hex')
  return `${text.slice(0, 300).toWellFormed()}… ${digest}`
}

/** The address form of a name: Latin letters and digits, words joined by hyphens. */
export function slugOf(name: string, fallback: string): string {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlug)
    .replace(/^-+|-+$/g, '')
  return words || fallback
}

/** A slug that nobody else has: the last letters of an id are random, where the first tell its time. */
export function suffixedSlug(slug: string, id: string): string {
  const suffix = id.slice(-8)
  return `${slug.slice(0, maxSlug - suffix.length - 1).replace(/-+$/, '')}-${suffix}`
}
