import { areForms } from './word_forms.ts'
import { wordsOf } from './words.ts'

/** Groups of words and phrases of one meaning, each as its folded words. */
export type SynonymGroups = readonly (readonly (readonly string[])[])[]

export function synonymGroupsOf(groups: readonly { words: readonly string[] }[]): SynonymGroups {
  return groups.map(({ words }) => words.map(wordsOf).filter(({ length }) => length > 0))
}

/** What else may stand for each of the folded words, which is a member of a group or part of one. */
export function alternativesOf(
  words: readonly string[],
  groups: SynonymGroups,
): (readonly string[])[][] {
  const alternatives = words.map((): (readonly string[])[] => [])
  for (const group of groups)
    for (const member of group) {
      const places = member.map((part) => words.findIndex((word) => areForms(part, word)))
      if (places.includes(-1)) continue
      const others = group.filter((other) => other !== member)
      for (const place of places) alternatives[place]!.push(...others)
    }
  return alternatives
}
