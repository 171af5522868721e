import { isPlain, type Meaning } from '../../../language/meanings.ts'
import { closeness, vectorOfWords } from '../../../language/word_vectors.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Question, Term } from '../understanding/questions.ts'
import { isWeighty, leads } from './sayings.ts'
import { contentOf, type Sentence, vectorOfSentence } from './sentences.ts'
import { hasForm, strengthOf, strengthOrNear, wordsIn } from './strength.ts'
import { countedOf, isSpecific, namesWanted, type WantedState, wantedIn } from './wanted.ts'
import { type RuleName, verdictOf } from './verdict.ts'
import { near, relatedCover, strong, weights } from './weights.ts'

/** How well a sentence answers a question. */
export interface SentenceMatch {
  sentence: Sentence
  position: number
  /** Zero if nothing but its closeness speaks for it. */
  score: number
  /** Why it scores so. */
  rule: RuleName
  /** How close it is to the question as a whole, by the words of both. */
  closeness: number
  /** How many sentences are closer. */
  rank: number
  /** Whether it has the number or kind of thing that is asked for. */
  wanted: WantedState
  /** The terms it covers. */
  covered: Term[]
}

/** Terms that the name of the product answers already: they say which product is meant. */
function contextOf(
  { terms, language }: Question,
  product: PublishedProduct,
  sentences: readonly Sentence[],
): Set<Term> {
  const name = wordsIn(`${product.name} ${product.brand}`)
  const isIn = (term: Term) =>
    hasForm(name, term.word) && (term.need === undefined || strengthOf(term, name) >= strong)
  const isSaid = (term: Term) => sentences.some((sentence) => hasForm(sentence, term.word))
  const isCrossing = sentences.every((sentence) => sentence.language !== language)
  return new Set(
    terms.filter(
      (term) => isIn(term) || (isCrossing && !isSaid(term) && strengthOf(term, name) >= strong),
    ),
  )
}

/** Every sentence of a product with how well it answers a question, best first. */
export function matchesOf(
  question: Question,
  product: PublishedProduct,
  sentences: readonly Sentence[],
): SentenceMatch[] {
  const { terms } = question
  const counted = countedOf(question, product)
  const context = contextOf(question, product, sentences)
  const weightOf = (term: Term) => {
    if (namesWanted(term, question))
      return question.quantities.length > 0 ? weights.measured : weights.light
    if (context.has(term)) return weights.context
    return term.isLight ? weights.light : weights.heavy
  }
  const all = terms.reduce((sum, term) => sum + weightOf(term), 0)
  const heavy = terms.filter(
    (term) => !term.isLight && !context.has(term) && !namesWanted(term, question),
  )
  const things = heavy.filter((term) => isWeighty(term) && !leads(term))
  const intents = terms.filter((term) => isDecisive(term) && !namesWanted(term, question))
  const measured = sentences.filter(
    (sentence) => wantedIn(question, counted, sentence) === 'present',
  )
  const isOnlyOne = measured.length === 1 && isSpecific(question)
  const asked = vectorOfWords(question.words)
  const close = sentences.map((sentence) => closeness(asked, vectorOfSentence(sentence)))
  return sentences
    .map((sentence, position) => {
      const found = terms.map((term) => strengthOrNear(term, sentence, contentOf(sentence)))
      const covered = terms.filter((_, index) => found[index]! >= strong)
      const sum = terms.reduce((total, term, index) => total + weightOf(term) * found[index]!, 0)
      const ofHeavy = heavy.map((term) => found[terms.indexOf(term)]!)
      const related = ofHeavy.some((strength) => strength > 0)
      const wanted = wantedIn(question, counted, sentence)
      const rank = close.filter((other) => other > close[position]!).length
      const saysIntents = intents.every((term) => found[terms.indexOf(term)]! > 0)
      // Whether there is palm oil in it is not answered by olive oil.
      const isOfOther =
        question.asksWhether &&
        heavy.some((term, index) => ofHeavy[index] === 0 && term.meanings.some(isPlain))
      // A verb that only leads to a thing says nothing of it: carrying a weight, carrying by bike.
      const isOfNone =
        wanted === 'none' &&
        things.length > 0 &&
        things.every((term) => found[terms.indexOf(term)] === 0)
      return {
        sentence,
        position,
        covered,
        closeness: close[position]!,
        rank,
        wanted,
        ...verdictOf({
          saysIntents: saysIntents && !isOfOther && !isOfNone,
          share: all > 0 ? sum / all : 0,
          wanted,
          // The one sentence with such a number answers if none is closer, whatever the number may be of.
          isOnlyOne:
            isOnlyOne ||
            (measured.length === 1 && rank === 0 && close[position]! >= near.onlyNumber),
          related,
          coverage: coverageOf(ofHeavy),
          heavy: heavy.length,
          terms: terms.length,
          covered: covered.length,
          asksWhether: question.asksWhether,
          asksClass: question.answerClass !== undefined,
        }),
      }
    })
    .sort((a, b) => valueOf(b) - valueOf(a) || a.position - b.position)
}

/** What a match is worth beside others: what speaks for it, and how close it is. */
const valueOf = ({ score, closeness: close }: SentenceMatch) =>
  score + (score > 0 ? 1 : 0) + close * near.weight

/** What is asked about a thing: a sentence about the thing that does not say it is no answer. */
const decisive: ReadonlySet<Meaning> = new Set([
  'look_after',
  'warranty',
  'origin',
  'price',
  'discount',
  'ship',
  'return',
  'certificate',
])

export const isDecisive = ({ meanings }: Term) => meanings.some((meaning) => decisive.has(meaning))

/** What is only related covers a term by half, and alone answers nothing. */
function coverageOf(found: readonly number[]): number {
  const covered = found.filter((strength) => strength >= strong).length
  const related = found.filter((strength) => strength > 0 && strength < strong).length
  const share = (covered + related * relatedCover.each) / Math.max(1, found.length)
  const isEnough = share >= relatedCover.alone && related >= relatedCover.least
  return covered > 0 || isEnough ? share : 0
}
