import type { Patterns, WordList } from './word_lists.ts'

export interface NumberWords {
  /** Words that say nothing but a number. */
  numerals: WordList
  /** What words for numbers say, in a text of whatever language. */
  values: Readonly<Record<string, number>>
  /** The same of words that mean something else in other languages: "on", ten. */
  ownValues?: Readonly<Record<string, number>>
  /** Words before a unit, those that say a number and others: "half", "several". */
  measures: WordList
  /** What says two without a number: "morning and evening". */
  twice?: readonly RegExp[]
  /** Words that also stand before a unit, but before everything else, too: "a". */
  articles?: WordList
  /** Endings of such words. */
  endings?: WordList
  /** After a number, before a unit of time: "two and a half hours". */
  fractions?: WordList
}

/** What a number in a text measures, or a question asks for. */
export type Quantity =
  | 'duration'
  | 'frequency'
  | 'weight'
  | 'length'
  | 'volume'
  | 'power'
  | 'voltage'
  | 'sound'
  | 'temperature'
  | 'share'
  | 'people'
  | 'energy'
  | 'age'
  | 'brightness'
  | 'pressure'
  | 'count'

/**
 * The kinds of questions for a number, beside the quantities: how strong, how much of anything, how long a
 * thing is or lasts, and how big it is or how much it holds.
 */
export type NumberAsked = Quantity | 'strength' | 'amount' | 'extent' | 'size'

export interface QuantityWords {
  /** Units of time. */
  time: WordList
  /** Other units, beside the symbols that all languages share. */
  units: Readonly<Partial<Record<Quantity, WordList>>>
  /** Endings of units and symbols. */
  unitEndings?: Readonly<Partial<Record<Quantity, WordList>>>
  /** What else says a quantity. `<number>` and `<time>` stand for those of every language. */
  said: Readonly<Partial<Record<Quantity, Patterns>>>
  asked: Readonly<Partial<Record<NumberAsked, Patterns>>>
  /** Before what is to be counted: "how many". */
  countAsked: WordList
  /** Has what is to be counted in its group, where that comes first. */
  countedBefore?: RegExp
}
