import type { AnswerClass, Meaning } from './meanings.ts'
import type { NeedWords } from './need_words.ts'
import type { NumberWords, QuantityWords } from './number_words.ts'
import type { Patterns, WordList } from './word_lists.ts'

/*
 * What the assistant and the search must know of a language. A pack has everything that is particular to
 * it; the rest of the code asks all packs at once, because a text may mix languages and a question is
 * often asked in another one than the catalogue's.
 *
 * Texts are compared without case and diacritics, so lists and patterns are written that way: "gunduz".
 */

export interface LanguagePack {
  smallWords: SmallWords
  forms: WordForms
  /** Lists of this language's words and phrases by meaning, as they are written: "water column". */
  lexicon: readonly Readonly<Record<Meaning, WordList>>[]
  questions: QuestionWords
  numbers: NumberWords
  quantities: QuantityWords
  demands: DemandWords
  needs: NeedWords
  products: ProductWords
  planted: PlantedWords
  /** Beginnings of words in a name that passes for a company or an office: "support". */
  impostors: WordList
  routines: RoutineWords
  faces: FaceWords
  /** Without it no answer opens with yes or no. */
  certainty?: CertaintyWords
}

/** How the language is recognised, and what in it carries no topic. */
export interface SmallWords {
  /** Words that carry no topic, separated by spaces, as they are written. */
  words: string
  /** Whether a folded word carries none by its form. */
  isSmall?: (word: string) => boolean
  /** Letters that no other pack's language has; with the flag g, as they are written. */
  letters?: RegExp
  /** Endings that only words of this language have, for text without marks; with the flag g. */
  endings: RegExp
}

/** How folded words are inflected. The lexicon is looked up by stems if there are any, else by roots. */
export interface WordForms {
  /** What all forms of a word have in common, though they need not begin with it. */
  stemOf?: (word: string) => string
  /** The verb of a word that says what can be done: washable. */
  verbOf?: (word: string) => string | undefined
  /** What all forms of a word begin with, or nearly so. */
  beginningOf?: (word: string) => string
  /** The shorter words that a word may be a form of, longest first. */
  rootsOf?: (word: string) => string[]
  /** Final consonants, each with what it becomes before an ending: kitap, kitabı. */
  softened?: Readonly<Record<string, string>>
  /** Letters that names may have with a mark, each with its forms that have one: `{ u: 'üû' }`. */
  marked: Readonly<Record<string, string>>
  /** Endings, separated by spaces, with which a word of three or four letters stays the same. */
  endings: string
  /** Endings, likewise, by which a search for a word of three letters is extended. */
  searchEndings: string
  /** Words that look like one of three letters with an ending, and are none: serum. */
  unended?: RegExp
}

export interface QuestionWords {
  /** Asks for other products than the one at hand, unless it also has `thisOne`. */
  others: Patterns
  thisOne: WordList
  /** Asks for other products in any case. */
  surelyOthers: Patterns
  /** Asks for nothing in particular: "tell me about". */
  general: WordList
  /** Asks what or how, not whether. */
  open: WordList
  /** Asks to what degree something is so, and with it whether it is: "how loud is it". */
  degree?: Patterns
  /** Asks whether the product has something. */
  having: Patterns
  /** Asks for a time of the year or the day. */
  time?: Patterns
  /** Says when, not what: "when wet". */
  when?: Patterns
  /** Gives things to choose from: "plastic or wood". */
  choice?: Patterns
  /** Asks whether something is so, at the beginning of a clause or anywhere. */
  whether?: Patterns
  /** Join two questions. */
  joins?: WordList
  /** Yes and no, alone or at the beginning of an answer. */
  yesOrNo?: WordList
  /** Greetings, thanks and goodbyes. */
  smallTalk?: WordList
  /** Those of them that thank. */
  thanks?: WordList
  /** Asks where the product is sold, how it is used, or what it is for, and nothing else. */
  intents?: Readonly<Record<'buy' | 'use' | 'purpose', Patterns>>
  /** Asks for a material, colour, place or ingredient. */
  classes: Readonly<Record<AnswerClass, Patterns>>
}

/** What a question that is answered by yes or no asks: does it have, suit, is it, does it do something. */
export type Whether = 'having' | 'suiting' | 'being' | 'doing'

/**
 * By what a text is certain to say yes or no. Questions are read as their folded words; texts as theirs, with
 * a comma or colon as a word of its own, and every word that is asked about marked by "#": "no latex# , soft".
 */
export interface CertaintyWords {
  asks: Readonly<Record<Whether, Patterns>>
  /** Change nothing in a question. */
  idle: WordList
  /** Asks whether there is none of something: "unscented". */
  asksLacking: Patterns
  /** Asks, with the name of a substance, whether it is in: "yumurtalı mı". */
  asksContent?: Patterns
  /** Asks whether it is made of or in what is named, by a word that says no more than that. */
  asksMade?: Patterns
  /** Asks in a way to which yes and no are ambiguous: "isn't it …", "… or …". */
  unclear: Patterns
  yes: Readonly<Record<Whether, Patterns>>
  no: Readonly<Record<Whether, Patterns>>
  /** Says anything negative: such a clause never says yes. */
  negative: Patterns
  /** Limits or weakens what a sentence says, also from a clause beside it: "only", "may", "except". */
  limits: WordList
  /** Weakens the clause that it stands in: "very". */
  degrees: WordList
  /** A clause about a part of the product or its packaging. */
  otherSubject: Patterns
  /** Between clauses. */
  contrasts: WordList
}

/** What a visitor demands of every product. */
export interface DemandWords {
  /** End a negation: what follows is wished for again. */
  clauseEnds: WordList
  /** Before what is to be left out: "without". */
  leaving?: WordList
  /** After it, and what joins things that are left out together. */
  left?: { words: WordList; joins: WordList }
  /** Have what is to be left out in their group: "leave it out". */
  leftBetween?: Patterns
  /** Say that something is for a baby. */
  forBaby?: Patterns
  /** Say that nothing else is wanted: "only". */
  only?: WordList
  allergy: WordList
  /** Belong to the demand, not to its object. */
  around: WordList
  not: WordList
  inStockOnly: Patterns
  onlySelected: Patterns
  /** People who cannot eat gluten. */
  celiac: WordList
  /** How words say that there is none of something. */
  privative: {
    /** Behind a word: "sugar-free". A pattern. */
    suffix?: string
    /** The end or the beginning of a single word: "unscented". Patterns. */
    ending?: string
    beginning?: string
  }
  morning: WordList
  evening: WordList
  /** How many steps: what may join two numbers, stand before a step, and be one. */
  steps: { or: WordList; simple: WordList; nouns: WordList }
}

/** What texts of products say. */
export interface ProductWords {
  negative: Patterns
  warning: WordList
  /** Warn how to look after somebody, not of the product: "never leave a child alone". */
  supervision?: WordList
  /** Between clauses, of which one may be negative. */
  contrasts: WordList
  /** By which a product is for a time of day. */
  morning: WordList
  evening: WordList
  /** Names a time of day only to say that the product is not for it. */
  notByDay?: Patterns
}

/** Text in a product that may have been planted there. */
export interface PlantedWords {
  /** Beginnings of words for reduced prices, and the word for a code. */
  offers: WordList
  code: WordList
  /** Asks for money. */
  money: Patterns
  /** The words of "system prompt". */
  system: WordList
  prompt: WordList
  /** Addresses the assistant. */
  commands: Patterns
  /** Spelled out in addresses: "evil dot com". */
  dot: WordList
  at: WordList
}

/** Products of a stage: beginnings of their names, and words to search for them. */
export interface StageWords {
  names: WordList
  search: string
}

export type Area = 'hair' | 'hand' | 'lip' | 'body'

export interface RoutineWords {
  stages: Readonly<{
    BEAUTY: Readonly<
      Record<'cleanse' | 'tone' | 'treat' | 'moisturise' | 'protect' | 'finish', StageWords>
    >
    TEXTILE: Readonly<Record<'base' | 'wear' | 'layer' | 'care', StageWords>>
    GENERAL: Readonly<Record<'prepare' | 'care' | 'protect', StageWords>>
  }>
  /** Sun care that does not protect. */
  afterSun: WordList
  areas: Readonly<Record<Area, WordList>>
  /** Several products in one. */
  sets: WordList
  /** Words of every request for a routine, separated by spaces, as they are written. */
  requests: string
  /** Labels of directions for use, likewise. */
  usage: string
}

/** What is done about a concern that a picture of a face shows. All lists are of beginnings. */
interface ConcernWords {
  /** Words to look for in the catalogue, separated by spaces, as they are written. */
  search: string
  /** What a sentence must speak of. */
  about: WordList
  /** What it must say the product does about it. */
  helps: WordList
  /** Tags that say so by themselves. */
  tags: WordList
}

export interface FaceWords {
  concerns: Readonly<
    Record<'redness' | 'unevenness' | 'dryness' | 'shine' | 'dullness', ConcernWords>
  >
  /** In a sentence that warns, which is no recommendation. */
  warning: Patterns
  /** Other parts of the body. */
  elsewhere: WordList
}
