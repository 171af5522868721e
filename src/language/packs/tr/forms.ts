import type { WordForms } from '../../pack.ts'

/*
 * Stemmers of Turkish expect its letters and handle nouns only; visitors leave out the marks and ask with
 * verbs. So a form is told by its endings: a word is a form of a root if the rest of it is a chain of
 * endings. Folding has merged the vowels that alternate: ı with i, ü with u.
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

/** Whether the text is a chain of endings. */
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

/** ç, which is folded, softens to c. */
const softened: Record<string, string> = { p: 'b', t: 'd', k: 'g', c: 'c' }
const hard = Object.fromEntries(Object.entries(softened).map(([from, to]) => [to, from]))

/**
 * What is left before a chain of endings. A final consonant that softened before the ending is also tried
 * as it was (kapağı, kapak).
 */
function rootsOf(word: string): string[] {
  const roots: string[] = []
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

export const forms: WordForms = {
  rootsOf,
  softened,
  marked: { a: 'â', c: 'ç', g: 'ğ', i: 'ıî', o: 'ö', s: 'ş', u: 'üû' },
  endings: `i u e a yi yu ye ya in un nin nun im um ni nu si su de da te ta den dan ten tan le la yle yla
    ler lar leri lari lerin larin lerde larda lerden lardan lere lara lerim larim lerimi larimi
    lerimiz larimiz sini sine sinde inde inden imi ini ine unu una`,
  searchEndings: 'i u e a yi yu si su in un nin nun li lu ler lar leri lari',
  // "My" is no ending here, alone or before another, or serum and serumu would be forms of ser.
  unended: /^...[iu]m[aeiu]?$/,
}
