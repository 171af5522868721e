/** A text without letter case and marks: what is compared when words are. */
export function foldedText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Endings, folded, that turn a short word into another form of it: Turkish cases, plurals. */
const endings = new Set(
  `i u e a yi yu ye ya in un nin nun im um ni nu si su de da te ta den dan ten tan le la yle yla
  ler lar leri lari lerin larin lerde larda lerden lardan lere lara lerim larim lerimi larimi
  lerimiz larimiz sini sine sinde inde inden imi ini ine unu una s es d ed ing`.split(/\s+/),
)

const shortest = 3
const distinct = 5
const certain = 6

/**
 * Whether two folded words are forms of one: they begin with the same six letters, or one is the
 * other with more behind it. Behind a short one only a known ending counts. A last consonant that
 * Turkish softens before an ending is the same letter (cilt, cilde).
 */
export function sameWord(a: string, b: string): boolean {
  if (a === b) return true
  // Most pairs end here, and a text is compared word by word.
  if (a[0] !== b[0]) return false
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < shortest || /^\p{N}/u.test(short)) return false
  if (short.length >= certain && long.startsWith(short.slice(0, certain))) return true
  if (!startsAlike(short, long)) return false
  return short.length >= distinct || endings.has(long.slice(short.length))
}

const soft: Record<string, string> = { p: 'b', t: 'd', k: 'g' }

function startsAlike(short: string, long: string): boolean {
  return long.startsWith(short) || (short.length < long.length && long.startsWith(softened(short)))
}

function softened(word: string): string {
  const last = word.at(-1) ?? ''
  return word.slice(0, -1) + (soft[last] ?? last)
}

/** A word to look up in an index: itself, or everything that begins with it. */
export interface LookUp {
  word: string
  prefix: boolean
}

/** Look-ups that together find every form of a word. Some of what they find is another word. */
export function lookUpsOf(word: string): LookUp[] {
  if (word.length < shortest || /^\p{N}/u.test(word)) return [{ word, prefix: false }]
  const beginning = word.slice(0, certain)
  const found = new Map([[beginning, true]])
  if (word.length < certain && softened(word) !== word) found.set(softened(word), true)
  for (let length = shortest; length < word.length; length++)
    for (const stem of [word.slice(0, length), hardened(word.slice(0, length))])
      if (sameWord(stem, word) && !found.has(stem)) found.set(stem, false)
  return [...found].map(([text, prefix]) => ({ word: text, prefix }))
}

function hardened(word: string): string {
  const last = word.at(-1) ?? ''
  const hard = Object.keys(soft).find((letter) => soft[letter] === last)
  return word.slice(0, -1) + (hard ?? last)
}
