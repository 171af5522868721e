import { mapInTurns } from '../../../fairness/yielding.ts'
import { areRelated, isSubstance, type Meaning } from '../../../language/meanings.ts'
import { closeness, vectorOfWord } from '../../../language/word_vectors.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { AiShop } from '../ai_model.ts'
import { partsOf } from '../understanding/parts.ts'
import { type Question, questionOf, type Term } from '../understanding/questions.ts'
import { enters, isVague, isWeighty, leads, type Saying, sayingOf } from './sayings.ts'
import { hasForm, strengthOf, type TextWords } from './strength.ts'
import { namesWanted } from './wanted.ts'
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
  const likenessTo = (text: string) =>
    likenessOf(asked, sayingOf(questionOf(text, [], shop), text, product))
  // Who replied to several questions in one also replied to each of them.
  const withParts = (text: string) =>
    likenessTo(text) ??
    (partsOf(text).some((part) => likenessTo(part) === 'sure') ? 'within' : undefined)
  const found = await mapInTurns(texts, (text) => ({ text, likeness: withParts(text) }))
  return found
    .flatMap(({ text, likeness }) => (likeness ? { text, likeness } : []))
    .sort(
      (first, second) => likenesses.indexOf(first.likeness) - likenesses.indexOf(second.likeness),
    )
}

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
  if (isChoiceOf(a, b)) return 'within'
  const areOfTime = a.asksTime && b.asksTime
  // When to prune is not how to prune.
  const asksHow = ({ question, asksTime }: Saying) =>
    question.isOpen && question.quantities.length === 0 && !asksTime
  if ((a.asksTime && asksHow(b)) || (b.asksTime && asksHow(a))) return undefined
  if (a.numbers !== b.numbers || !(areOfTime || wantAlike(a.question, b.question))) return undefined
  const [ofA, ofB] = [sharedWith(b, a), sharedWith(a, b)]
  if (!(ofA.isShared && ofB.isRelated) && !(ofB.isShared && ofA.isRelated)) return undefined
  if (a.question.asksWhether !== b.question.asksWhether) {
    if (isOfUse(a) || isOfUse(b)) return undefined
    // Whether it has a hood is not whether that can be taken off.
    const having = a.question.asksWhether ? a : b
    if (isOfSupply(having) || ofA.left.length + ofB.left.length > 0) return undefined
    // Nor is whether it has a bag whether it fits into one.
    if ([a, b].some(({ topics }) => topics.some(enters))) return undefined
  }
  // Zinc oxide is another substance than zinc.
  if (ofA.left.length + ofB.left.length > 0 && [a, b].every(isOfSubstance)) return undefined
  const crosses = a.question.language !== b.question.language
  const isOtherwise = (one: Shared, other: Shared) =>
    one.left.some((term) => [...other.left, ...other.done].some((each) => areOthers(term, each)))
  const isMore = Math.max(ofA.left.length, ofB.left.length) > mostLeft
  if (!crosses && (isMore || isOtherwise(ofA, ofB) || isOtherwise(ofB, ofA))) return undefined
  if (ofA.left.length + ofA.aside.length > 0) return 'likely'
  return ofB.left.length + ofB.aside.length > 0 ? 'within' : 'sure'
}

/** Whether one asks if it is a thing that the other gives to choose from: "Is it plastic?", "Plastic or wood?" */
function isChoiceOf({ question, topics }: Saying, other: Saying): boolean {
  const isAsked = topics.length > 0 && topics.every((term) => says(other, term))
  return isAsked && other.question.isChoice && !question.isOpen && !question.wantsOthers
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
  /** The same of circumstances. */
  aside: readonly Term[]
  /** What this one does with the thing, and the other does not: "connect headphones". */
  done: readonly Term[]
}

function sharedWith(other: Saying, own: Saying): Shared {
  const { topics, phrases, circumstances, question } = own
  const asked = {
    answerClass: classOf(question),
    quantities: [...question.quantities, ...question.given],
  }
  const inPhrases = new Set(
    phrases.filter((all) => all.every((word) => hasForm(other.words, word))).flat(),
  )
  const speaks = (term: Term) => inPhrases.has(term.word) || says(other, term)
  const heavy = topics.filter((term) => !term.isLight)
  const main = heavy.filter((term) => !circumstances.includes(term) && !leads(term))
  const telling = [main, heavy].find(({ length }) => length > 0) ?? topics
  const isShared =
    telling.some(speaks) || [wantsOnlyClass, saysHowOften].some((test) => [own, other].every(test))
  const unsaid = topics.filter(
    (term) => isWeighty(term) && !leads(term) && !speaks(term) && !namesWanted(term, asked),
  )
  return {
    isShared,
    isRelated: isShared || telling.some((term) => isRelatedTo(term, other.words)),
    left: distinct(unsaid.filter((term) => !circumstances.includes(term))),
    aside: unsaid.filter((term) => circumstances.includes(term)),
    done: topics.filter(
      (term) => isWeighty(term) && leads(term) && !isVague(term) && !speaks(term),
    ),
  }
}

/** The words of a phrase are one thing. */
function distinct(terms: readonly Term[]): Term[] {
  const keyOf = ({ word, meanings }: Term) => (meanings.length > 0 ? meanings.join() : word)
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()]
}

/** Whether a thing of some class is asked for, and nothing else spoken of: "What is it made of?", "Plastic or wood?" */
const wantsOnlyClass = ({ topics, question }: Saying) =>
  classOf(question) !== undefined &&
  topics.every((term) => term.isLight || leads(term) || namesWanted(term, question))

/** Whether it is asked if the product may be used so often, and nothing else: "every night", "twice a day". */
const saysHowOften = ({ topics, question }: Saying) =>
  question.given.includes('frequency') &&
  topics.every(
    (term) => term.isLight || leads(term) || namesWanted(term, { quantities: question.given }),
  )

function isRelatedTo(term: Term, words: TextWords): boolean {
  const strength = strengthOf(term, words)
  return strength > 0 && strength < strong
}

/**
 * Words of known meanings must lie closer to each other than others, because those that are near are often
 * opposites, iPhone and Android. A word may mean something else in a phrase: "break", "break in".
 */
function says({ words, topics }: Saying, term: Term): boolean {
  if (term.need !== undefined && topics.some(({ need }) => need === term.need)) return true
  const strength = strengthOf(term, words)
  const isOtherSense =
    strength === strengths.word && term.meanings.length > 0 && !hasKindOf(words, term.meanings)
  if (strength >= strong) return !isOtherSense
  // What says little is what a question is about that says nothing else: "Is it difficult?"
  const areLight = topics.every(({ isLight }) => isLight)
  if (areLight && topics.some(({ meanings }) => meanings.some((m) => term.meanings.includes(m))))
    return true
  const least = term.meanings.length === 0 ? near.word : near.knownWord
  const vector = vectorOfWord(term.word)
  return topics.some(({ word }) => closeness(vector, vectorOfWord(word)) >= least)
}

const hasKindOf = ({ meanings }: TextWords, wanted: readonly Meaning[]) =>
  wanted.some((meaning) => meanings.has(meaning))
