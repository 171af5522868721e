import { mapInTurns } from '../../../fairness/yielding.ts'
import { type FoundPhrase, phrasesIn } from '../../../language/lexicon.ts'
import { isFiller } from '../../../language/small_words.ts'
import { areRelated, isSubstance, type Meaning } from '../../../language/meanings.ts'
import { packOf, packs } from '../../../language/packs.ts'
import { closeness, vectorOfWord } from '../../../language/word_vectors.ts'
import { foldedText } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Language } from '../../../texts/languages.ts'
import type { AiShop } from '../ai_model.ts'
import { type Question, questionOf, type Term } from '../understanding/questions.ts'
import { hasForm, strengthOf, type Words, wordsIn } from './strength.ts'
import { near, strengths, strong } from './weights.ts'

/* Whether two questions ask the same, in one language or in two. */

/** Who asks what, and of what. */
export interface Asker {
  shop: AiShop
  message: string
  /** The product at hand, if any. */
  product?: PublishedProduct
}

/** A question that asks the same as another. */
export interface LikeQuestion {
  text: string
  likeness: Likeness
}

/** The questions that ask the same as the message, the surest first. */
export async function likeQuestions(
  { shop, product, message }: Asker,
  texts: readonly string[],
  question: Question,
): Promise<LikeQuestion[]> {
  const asked = sayingOf(question, message, product)
  const found = await mapInTurns(texts, (text) => ({
    text,
    likeness: likenessOf(asked, sayingOf(questionOf(text, [], shop.synonyms), text, product)),
  }))
  return found
    .flatMap(({ text, likeness }) => (likeness ? { text, likeness } : []))
    .sort(
      (first, second) => likenesses.indexOf(first.likeness) - likenesses.indexOf(second.likeness),
    )
}

/** What two questions are compared by. */
export interface Saying {
  question: Question
  words: Words
  /** What is asked about, without the words that only name the product. */
  topics: readonly Term[]
  /** The words of each phrase that has several which carry a topic: "machine wash". */
  phrases: readonly (readonly string[])[]
  numbers: string
}

export function sayingOf(question: Question, text: string, product?: PublishedProduct): Saying {
  const ofProduct = wordsIn(product ? `${product.name} ${product.brand}` : '')
  const words = wordsIn(text)
  // Words that are written apart mean something together in a question.
  const meanings = new Set([...words.meanings, ...question.terms.flatMap((term) => term.meanings)])
  return {
    question,
    words: { ...words, meanings },
    topics: question.terms.filter((term) => !hasForm(ofProduct, term.word)),
    phrases: phrasesAmong(question),
    numbers: numbersIn(text, question.language),
  }
}

function phrasesAmong({ words, language }: Question): string[][] {
  const content = ({ start, length }: FoundPhrase) =>
    words.slice(start, start + length).filter((word) => !isFiller(word, language))
  return phrasesIn(words)
    .map(content)
    .filter(({ length }) => length > 1)
}

const numerals = new Map(packs.flatMap(({ numbers: { values } }) => Object.entries(values)))

/** Words for numbers that more often mean something else: "altı", six, is also what lies underneath. */
const ambiguous = new Set(['alti'])

/** The numbers of a text, also those in words; one is often but an article. */
function numbersIn(text: string, language: Language): string {
  const { ownValues = {} } = packOf[language].numbers
  const found = (foldedText(text).match(/\d+|\p{L}+/gu) ?? []).map((word) =>
    ambiguous.has(word) ? NaN : (numerals.get(word) ?? ownValues[word] ?? Number(word)),
  )
  return found.filter((number) => number !== 1 && !Number.isNaN(number)).join(' ')
}

/** Meanings that a question may have or leave out: "contains zinc", "zinc in it", "good for dandruff". */
const optional = new Set([
  'contain',
  'bin',
  'origin',
  'help_with',
  'result',
  'fit',
  'legal',
  'level_setting',
  'serving_people',
])

/** What a question is about. */
export const isWeighty = (term: Term) =>
  !term.isLight && !term.meanings.some((meaning) => optional.has(meaning))

/** Verbs that only lead to a thing, where one is named: "put it in the oven", "connect headphones". */
const leading = new Set([
  'use',
  'suitable',
  'work_with',
  'compatible',
  'carry',
  'go_in',
  'eat',
  'mount_on',
  'attach',
  'connect_to',
  'connect',
  'run_motor',
  'run_for',
  'rub',
  'feed',
  'fit_in',
  'hold_hand',
  'next_day',
  'stock',
  'buy',
  'resist',
])

/** Those that go with everything. */
const vague = new Set([
  'use',
  'suitable',
  'work_with',
  'compatible',
  'run_motor',
  'run_for',
  'resist',
])

const isVague = ({ meanings }: Term) => meanings.some((meaning) => vague.has(meaning))

export const leads = ({ meanings }: Term) => meanings.some((meaning) => leading.has(meaning))

/**
 * How surely a question asks the same as another: neither says more, only the other does ("Is there a
 * microphone?", "Is there a built-in microphone?"), or as far as words can tell.
 */
const likenesses = ['sure', 'within', 'likely'] as const
export type Likeness = (typeof likenesses)[number]

/** Words that one question may have more. */
const mostLeft = 1

/**
 * Two questions that name the same thing ask the same unless something tells them apart: other numbers, another
 * kind of answer, what each has and the other lacks. Undefined if something does.
 */
export function likenessOf(a: Saying, b: Saying): Likeness | undefined {
  if (a.numbers !== b.numbers || !wantAlike(a.question, b.question)) return undefined
  const [ofA, ofB] = [sharedWith(b, a), sharedWith(a, b)]
  if (!(ofA.isShared && ofB.isRelated) && !(ofB.isShared && ofA.isRelated)) return undefined
  if (a.question.asksWhether !== b.question.asksWhether) {
    if (isOfUse(a) || isOfUse(b)) return undefined
    // Whether it has a hood is not whether that can be taken off.
    const having = a.question.asksWhether ? a : b
    if (isOfSupply(having) || ofA.left.length + ofB.left.length > 0) return undefined
  }
  // Zinc oxide is another substance than zinc.
  if (ofA.left.length + ofB.left.length > 0 && [a, b].every(isOfSubstance)) return undefined
  const crosses = a.question.language !== b.question.language
  const isOtherwise = (one: Shared, other: Shared) =>
    one.left.some((term) => [...other.left, ...other.done].some((each) => areOthers(term, each)))
  const isMore = Math.max(ofA.left.length, ofB.left.length) > mostLeft
  if (!crosses && (isMore || isOtherwise(ofA, ofB) || isOtherwise(ofB, ofA))) return undefined
  if (ofA.left.length > 0) return 'likely'
  return ofB.left.length > 0 ? 'within' : 'sure'
}

/** Whether two words are known to name different things. */
function areOthers(a: Term, b: Term): boolean {
  const areKnown = a.meanings.length > 0 && b.meanings.length > 0
  return (
    areKnown &&
    !a.meanings.some((meaning) => b.meanings.some((other) => areRelated(meaning, other)))
  )
}

/** Whether it is asked what comes with a product. */
const isOfSupply = ({ words: { meanings } }: Saying) =>
  meanings.has('supplied') || meanings.has('box')

/** Whether it is asked if a product has a substance. */
const isOfSubstance = ({ topics, question: { asksWhether } }: Saying) =>
  asksWhether && topics.some(({ meanings }) => meanings.some(isSubstance))

/** Whether something is done with a substance: eating with milk is another thing than milk in it. */
function isOfUse({ topics, question: { asksWhether } }: Saying): boolean {
  const isOne = ({ meanings }: Term) => meanings.some(isSubstance)
  return !asksWhether && topics.some(isOne) && !topics.every(isOne)
}

function wantAlike(a: Question, b: Question): boolean {
  const isOfDegree = a.asksDegree || b.asksDegree
  const isMeasured = a.quantities.length > 0 || b.quantities.length > 0
  return (
    // "Weight?" asks what "How heavy is it?" does, and "Colours?" what "Which colours are there?" does.
    (a.isOpen === b.isOpen || isMeasured || a.answerClass !== undefined || isOfDegree) &&
    classOf(a) === classOf(b) &&
    (measureAlike(a, b) || measureAlike(b, a))
  )
}

/** The class of things that is asked for; whether its fabric is sheer does not ask for a material. */
function classOf({ answerClass, isOpen, terms }: Question) {
  const isAsked =
    isOpen || answerClass === 'place' || terms.filter((term) => !term.isLight).length <= 1
  return isAsked ? answerClass : undefined
}

/** Whether two questions want the same measured: "What is the acidity?" asks for a number, too. */
function measureAlike(a: Question, b: Question): boolean {
  if (a.quantities.length === 0) return b.quantities.length === 0 || a.isGeneral
  return a.quantities.some((kind) => b.quantities.includes(kind))
}

interface Shared {
  /** The other question speaks of something that this one is about, or of what has to do with it. */
  isShared: boolean
  isRelated: boolean
  /** What this one is about, and the other does not speak of. */
  left: readonly Term[]
  /** What this one does with the thing, and the other does not: "connect headphones". */
  done: readonly Term[]
}

function sharedWith(other: Saying, { topics, phrases }: Saying): Shared {
  const inPhrases = new Set(
    phrases.filter((all) => all.every((word) => hasForm(other.words, word))).flat(),
  )
  const speaks = (term: Term) => inPhrases.has(term.word) || says(other, term)
  const heavy = topics.filter((term) => !term.isLight)
  const telling = heavy.length > 0 ? heavy : topics
  const isShared = telling.some(speaks)
  return {
    isShared,
    isRelated: isShared || telling.some((term) => isRelatedTo(term, other.words)),
    left: topics.filter((term) => isWeighty(term) && !leads(term) && !speaks(term)),
    done: topics.filter(
      (term) => isWeighty(term) && leads(term) && !isVague(term) && !speaks(term),
    ),
  }
}

function isRelatedTo(term: Term, words: Words): boolean {
  const strength = strengthOf(term, words)
  return strength > 0 && strength < strong
}

/**
 * Words of known meanings must lie closer to each other than others, because those that are near are often
 * opposites, iPhone and Android. A word may mean something else in a phrase: "break", "break in".
 */
function says({ words, topics }: Saying, term: Term): boolean {
  const strength = strengthOf(term, words)
  const isOtherSense =
    strength === strengths.word && term.meanings.length > 0 && !hasKindOf(words, term.meanings)
  if (strength >= strong) return !isOtherSense
  const least = term.meanings.length === 0 ? near.word : near.knownWord
  const vector = vectorOfWord(term.word)
  return topics.some(({ word }) => closeness(vector, vectorOfWord(word)) >= least)
}

const hasKindOf = ({ meanings }: Words, wanted: readonly Meaning[]) =>
  wanted.some((meaning) => meanings.has(meaning))
