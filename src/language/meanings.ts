import classes from './meanings/classes.json' with { type: 'json' }
import kinds from './meanings/kinds.json' with { type: 'json' }
import plain from './meanings/plain.json' with { type: 'json' }
import related from './meanings/related.json' with { type: 'json' }

/*
 * What meanings have to do with each other, in whatever language they are said. The packs have the words.
 * A meaning may be a kind of another: a text about almonds answers a question about nuts, not the other
 * way round. Or two are related: a text about rain has to do with a question about the weather.
 */

/** A meaning, by its name: the first English word for it. */
export type Meaning = string

/** A class of meanings that an answer must have one of: colours, materials. */
export type AnswerClass = keyof typeof classes

/** Meanings that say little by themselves. */
const light = new Set(
  listed(`skin, contain, free_of, safe, eat, compatible, use, how_to_use, suitable, not_recommended, combine,
    daily, weekly, monthly, yearly, visible_results, last, how_long, hour, minute, second_time, before, after,
    easy, difficult, new, version, box, piece, recipe_tip, carry, supplied, work_with, need, go_in, ratio`),
)

const none: readonly Meaning[] = []

const kindsOf = new Map(Object.entries(kinds).map(([kind, members]) => [kind, listed(members)]))
const kindSets = new Map([...kindsOf].map(([kind, members]) => [kind, new Set(members)]))
const relations = relationsOf()
const members = Object.fromEntries(
  Object.entries(classes).map(([name, list]) => [name, listed(list)]),
) as Record<AnswerClass, Meaning[]>

function listed(list: string): Meaning[] {
  return list.split(',').map((entry) => entry.trim())
}

/** Both ways; kinds are related, too. */
function relationsOf(): Map<Meaning, Set<Meaning>> {
  const found = new Map<Meaning, Set<Meaning>>()
  const relate = (a: Meaning, b: Meaning) => found.set(a, (found.get(a) ?? new Set()).add(b))
  for (const [meaning, others] of [...Object.entries(kinds), ...Object.entries(related)])
    for (const other of listed(others)) {
      relate(meaning, other)
      relate(other, meaning)
    }
  return found
}

const plainOnes = new Set([
  ...Object.values(plain).flatMap(listed),
  ...members.material,
  ...members.ingredient.filter((meaning) => !isLight(meaning)),
])

const substances = new Set([...listed(plain.substances), ...members.ingredient])

/** Whether a meaning is something that products are made with. */
export function isSubstance(meaning: Meaning): boolean {
  return substances.has(meaning) && !isLight(meaning)
}

/**
 * Whether all words for a meaning name the same thing, so that one stands for the other even where yes and no
 * depend on it. Others also have opposites: loud and quiet are both about noise.
 */
export function isPlain(meaning: Meaning): boolean {
  return plainOnes.has(meaning)
}

/** Whether a meaning says little by itself, as "use" does. */
export function isLight(meaning: Meaning): boolean {
  return light.has(meaning)
}

export function areRelated(a: Meaning, b: Meaning): boolean {
  return relations.get(a)?.has(b) ?? false
}

/** Whether what has this meaning is also of that kind, so that it answers a question about it. */
export function isKindOf(meaning: Meaning, kind: Meaning): boolean {
  return kindSets.get(kind)?.has(meaning) ?? false
}

/** The meanings that are of a kind: almond of nut. */
export function kindsIn(kind: Meaning): readonly Meaning[] {
  return kindsOf.get(kind) ?? none
}

/** The meanings of a class. */
export function membersOf(answerClass: AnswerClass): readonly Meaning[] {
  return members[answerClass]
}
