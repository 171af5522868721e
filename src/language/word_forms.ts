import { stemmer } from 'stemmer'

/*
 * Forms of folded words. Stemmers of Turkish expect its letters and handle nouns only; visitors leave
 * out the marks and ask with verbs. So a form is told by its endings: a word is a form of a root if the
 * rest of it is a chain of Turkish endings, or if both have the same English stem. Folding has merged
 * the vowels that alternate: ı with i, ü with u.
 */

const endings = [
  // Nouns: plural, possession, case, and the endings that make adjectives of them.
  'l[ae]r[iu]?',
  '[iu]m(?:[iu]z)?',
  '[iu]n(?:[iu]z)?',
  'm[iu]z|n[iu]z',
  's?[iu]',
  '[dt][ae]n?',
  '[yn]?[ae]',
  '[yn][iu]n?',
  'y?l[ae]',
  'c[ae]',
  'ki',
  'l[iu]',
  's[iu]z',
  'l[iu][kg]',
  'c[iu]',
  // Verbs: voice, negation, tense, person, participles.
  '[dt][iu]r',
  '[iu]?l',
  '[iu]?n',
  '[iu]?t',
  '[iu]s',
  'm[ae]z?',
  'm[iu]',
  '[iau]?r|er',
  '[iu]?yor',
  '[dt][iu]',
  'm[iu]s',
  'y?[ae]c[ae][kg]',
  'm[ae]l[iu]',
  's[ae]',
  'y?[iu]nc[ae]',
  'y?[iu]p',
  'y?[ae]r[ae]k',
  'ken',
  'm[ae]k',
  'y?[ae]n',
  '[dt][iu][kg]',
  'y?[ae]b[iu]l',
  's[iu]n',
  'y[iu]n',
  '[iu]z',
  'k|m',
  'y?[iu]c[iu]',
  'm[iu]y[iu]m',
]

const chain = new RegExp(`^(?:${endings.join('|')}){1,7}$`)
const longestChain = 14
const chains = new Map<string, boolean>()
const maxRemembered = 20_000
const longestRemembered = 40

/** Whether the text is a chain of Turkish endings. */
export function isEndingChain(text: string): boolean {
  if (text === '') return true
  if (text.length > longestChain || !/^[a-z]+$/.test(text)) return false
  const known = chains.get(text)
  if (known !== undefined) return known
  if (chains.size === maxRemembered) chains.clear()
  const result = chain.test(text)
  chains.set(text, result)
  return result
}

const hard: Record<string, string> = { b: 'p', d: 't', g: 'k', c: 'c' }

/**
 * The possible roots of a word, longest first, itself included: what is left before a chain of
 * endings. A final consonant that softened before the ending is also tried as it was (kapağı, kapak).
 */
export function rootsOf(word: string): string[] {
  const roots = [word]
  const shortest = Math.max(3, word.length - longestChain)
  for (let length = word.length - 1; length >= shortest; length--) {
    if (!isEndingChain(word.slice(length))) continue
    const root = word.slice(0, length)
    roots.push(root)
    const last = hard[root.at(-1)!]
    if (last) roots.push(root.slice(0, -1) + last)
  }
  return roots
}

/** The English stem of a word. */
export function englishStemOf(word: string): string {
  return stemmer(word)
}

export interface Forms {
  stem: string
  roots: readonly string[]
}

const forms = new Map<string, Forms>()

/** The forms of a word, remembered: the words of a text are compared again and again. */
export function formsOf(word: string): Forms {
  const known = forms.get(word)
  if (known) return known
  if (forms.size === maxRemembered) forms.clear()
  const found = { stem: englishStemOf(word), roots: rootsOf(word) }
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
  if (ofShort.stem === ofLong.stem || ofLong.roots.includes(short)) return true
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
