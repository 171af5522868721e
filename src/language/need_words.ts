import type { Patterns, WordList } from './word_lists.ts'

/*
 * What people need a product for, and what products say they are for: a type of skin or hair, a season, a
 * place, men or women. The word alone says little: dry is also a place, a shampoo or the shade of a lipstick.
 */

/** Of each list, one excludes the others: what is for oily skin is not for dry skin. */
export const needs = {
  skin: ['dry_skin', 'oily_skin', 'combination_skin', 'normal_skin'],
  sensitivity: ['sensitive_skin'],
  scalp: ['dry_hair', 'oily_hair', 'normal_hair'],
  strand: ['fine_hair', 'thick_hair'],
  curl: ['curly_hair', 'straight_hair'],
  season: ['spring', 'summer', 'autumn', 'winter'],
  place: ['indoors', 'outdoors'],
  person: ['men', 'women'],
} as const

export type NeedKind = keyof typeof needs
export type Need = (typeof needs)[NeedKind][number]

/** What has types: a word is one only with a noun beside it, "dry skin". */
export type Bearer = 'skin' | 'hair'
export type TypeOf<Of extends Bearer> = Extract<Need, `${string}_${Of}`>
/** A need that a word or phrase names by itself. */
export type PlainNeed = Exclude<Need, TypeOf<Bearer>>

interface BearerWords<Of extends Bearer> {
  nouns: WordList
  types: Readonly<Record<TypeOf<Of>, WordList>>
  /** Says a type without the noun: "dryness". */
  alone?: Readonly<Partial<Record<TypeOf<Of>, WordList>>>
  /** Says that a product suits every type. */
  every: Patterns
}

interface PlainWords {
  /** In a name or a tag. */
  names: WordList
  /** In a sentence of a product: "winter" alone may be when it is stored. */
  says: WordList
  /** In what a visitor says. */
  asks: WordList
}

export interface NeedWords {
  bearers: Readonly<{ [Of in Bearer]: BearerWords<Of> }>
  plain: Readonly<Record<PlainNeed, PlainWords>>
  /** Says that a product is for every season, place or person. */
  every: Readonly<Partial<Record<NeedKind, Patterns>>>
  /** Between two types: "dry and sensitive skin". */
  joins: WordList
  /** Before a type: "very". */
  very: WordList
  /** Between a type and its noun: "dry facial skin". */
  between: WordList
  /** Between the noun and its type, of which `verbs` must be there: "skin is quite dry". */
  is: WordList
  verbs?: WordList
  /** Behind a type that a product tells of people: "cildi kuru olanlar". */
  toldBy?: WordList
  /** Behind a type whose noun is left out: "kuru için". */
  after?: WordList
  /** Before or behind the one type that a product is not for: "except". */
  except: { before?: WordList; after?: WordList }
  /** Before or behind a type that a visitor's skin or hair is not of: "not dry", "kuru değil". */
  denied: { before?: WordList; after?: WordList }
  /** Says that a product is not for what its clause names. */
  unsuited: Patterns
  /** Looks like that, or like a warning, and praises: "never dries out", "not only for". */
  praise: Patterns
  /** Says where to put a product, with `<` and `>` around the type and its noun: dry is not wet there. */
  applied: Patterns
  /** Names of colours that have a word of something else: "gül kurusu", "winter white". */
  colours: Patterns
}
