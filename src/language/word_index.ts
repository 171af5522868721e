import { formsOf, isOneLetterOff } from './word_forms.ts'

/**
 * The words of a text, arranged for lookups: a long message is compared with many long texts, and
 * comparing each word with each takes seconds where the author means harm.
 */
export interface WordIndex {
  /** Whether `areForms` holds for the word and one of the text. */
  hasForm: (word: string) => boolean
  /** Whether a word of the text is one letter off; both have at least five. */
  hasMisspelling: (word: string) => boolean
}

/** What the words that begin with the same two letters have in common with others. */
interface Family {
  words: ReadonlySet<string>
  stems: Set<string>
  /** Every root, with the letters of the shortest word that has it. */
  roots: Map<string, number>
}

const minMisspelt = 5

export function indexOf(words: readonly string[]): WordIndex {
  const all = new Set(words)
  // Made when they are asked for: of most texts they never are.
  let beginnings: Map<string, string[]> | undefined
  let lengths: Map<number, string[]> | undefined
  const families = new Map<string, Family>()

  /** Made when it is asked for: most beginnings never are. */
  function familyOf(beginning: string): Family | undefined {
    const known = families.get(beginning)
    if (known) return known
    beginnings ??= groupsOf(all, (word) => word.slice(0, 2))
    const members = beginnings.get(beginning)
    if (!members) return undefined
    const family = familyWith(members.filter(isInflected))
    families.set(beginning, family)
    return family
  }

  return {
    hasForm(word) {
      if (all.has(word)) return true
      const family = isInflected(word) ? familyOf(word.slice(0, 2)) : undefined
      return family !== undefined && isRelated(word, family)
    },
    hasMisspelling(word) {
      if (word.length < minMisspelt) return false
      const byLength = (lengths ??= groupsOf(all, ({ length }) => length))
      return [word.length - 1, word.length, word.length + 1].some(
        (length) =>
          length >= minMisspelt &&
          byLength.get(length)?.some((other) => isOneLetterOff(word, other)),
      )
    },
  }
}

const isInflected = (word: string) => word.length >= 3 && !/\d/.test(word)

function groupsOf<Key>(words: Iterable<string>, keyOf: (word: string) => Key) {
  const groups = new Map<Key, string[]>()
  for (const word of words) {
    const key = keyOf(word)
    const group = groups.get(key)
    if (group) group.push(word)
    else groups.set(key, [word])
  }
  return groups
}

function familyWith(words: readonly string[]): Family {
  const family: Family = { words: new Set(words), stems: new Set(), roots: new Map() }
  for (const word of words) {
    const { stems, roots } = formsOf(word)
    for (const stem of stems) family.stems.add(stem)
    for (const root of roots)
      family.roots.set(root, Math.min(word.length, family.roots.get(root) ?? Infinity))
  }
  return family
}

/** The rules of `areForms`, each as a lookup. */
function isRelated(word: string, { words, stems, roots }: Family): boolean {
  const own = formsOf(word)
  if (own.stems.some((stem) => stems.has(stem)) || roots.has(word)) return true
  return own.roots.some((root) => {
    if (words.has(root)) return true
    const shortest = roots.get(root)
    if (shortest === undefined || root.length < 4) return false
    return root.length >= Math.min(word.length, shortest) - 4
  })
}
