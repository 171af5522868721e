import { packs } from './packs.ts'

/*
 * Forms of folded words. Two words are forms of one if a language gives them the same stem, or if one is
 * a root of the other, as endings tell. A word is tried in every language: that of a short text is not
 * known, and product names mix them.
 */

const maxRemembered = 20_000
const longestRemembered = 40

const stemmers = packs.flatMap(({ forms: { stemOf, verbOf } }) =>
  stemOf ? (word: string) => stemsBy(stemOf, word, verbOf?.(word)) : [],
)
const rooters = packs.flatMap(({ forms }) => forms.rootsOf ?? [])

/** The possible roots of a word in any language, longest first, itself included. */
export function rootsOf(word: string): string[] {
  const roots = [word]
  for (const rooter of rooters) roots.push(...rooter(word))
  return roots
}

function stemsBy(stemOf: (word: string) => string, word: string, verb: string | undefined) {
  return verb === undefined ? [stemOf(word)] : [stemOf(word), stemOf(verb)]
}

export interface Forms {
  stems: readonly string[]
  roots: readonly string[]
}

const forms = new Map<string, Forms>()

/** The forms of a word, remembered: the words of a text are compared again and again. */
export function formsOf(word: string): Forms {
  const known = forms.get(word)
  if (known) return known
  if (forms.size === maxRemembered) forms.clear()
  const found = { stems: stemmers.flatMap((stems) => stems(word)), roots: rootsOf(word) }
  if (word.length <= longestRemembered) forms.set(word, found)
  return found
}

/** Whether one folded word is a form of another, or both are forms of a third. */
export function areForms(a: string, b: string): boolean {
  if (a === b) return true
  if (a.slice(0, 2) !== b.slice(0, 2) || a.length < 3 || b.length < 3) return false
  if (/\d/.test(a) || /\d/.test(b)) return false
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const [ofShort, ofLong] = [formsOf(short), formsOf(long)]
  if (ofShort.stems.some((stem) => ofLong.stems.includes(stem))) return true
  if (ofLong.roots.includes(short)) return true
  // Two inflected forms share a root that is most of the shorter one.
  const least = Math.max(4, short.length - 4)
  return ofLong.roots.some((root) => root.length >= least && ofShort.roots.includes(root))
}

/** Whether two words differ by one letter: another, one too many or few, or two swapped. */
export function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1)) return true
  if (restA.slice(1) === restB || restA === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}
