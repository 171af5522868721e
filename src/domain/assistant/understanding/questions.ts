import {
  compoundsIn,
  meaningsOfMisspelt,
  meaningsOfWord,
  phrasesIn,
} from '../../../language/lexicon.ts'
import { type AnswerClass, isLight, type Meaning, membersOf } from '../../../language/meanings.ts'
import type { Need } from '../../../language/need_words.ts'
import { needsAsked } from '../../../language/needs.ts'
import type { Quantity } from '../../../language/number_words.ts'
import { packs } from '../../../language/packs.ts'
import { anyPattern, anyWord, entriesOf } from '../../../language/patterns.ts'
import { markedWordsOf } from '../../../language/marks.ts'
import { isFiller, languageOf } from '../../../language/small_words.ts'
import { alternativesOf, type SynonymGroups } from '../../../language/synonyms.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import { defaultLanguage, type Language } from '../../../texts/languages.ts'
import type { AiShop, Turn } from '../ai_model.ts'
import { countedIn, quantitiesAsked, quantitiesIn } from './quantities.ts'

/** A word of a question that carries a topic. */
export interface Term {
  word: string
  /** With its marks, if the text has any. */
  written?: string | undefined
  /** The language of the text, as far as it is known. */
  language?: Language | undefined
  meanings: readonly Meaning[]
  /** It says little by itself, as "use" does. */
  isLight: boolean
  /** It is said of what the product is needed for: "dry" in "dry skin". */
  need?: Need
  /** The shop's other words and phrases for it, each as its words. */
  synonyms?: readonly (readonly string[])[]
}

/** What a visitor wants to know. */
export interface Question {
  language: Language
  /** All its words, folded. */
  words: readonly string[]
  terms: readonly Term[]
  quantities: readonly Quantity[]
  /** What the visitor says of themselves or theirs: "I am 1.80 m". */
  given: readonly Quantity[]
  /** What is to be counted, if that is asked: "how many pockets". */
  counted: readonly Term[]
  answerClass: AnswerClass | undefined
  /** Asks for other products than the one at hand. */
  wantsOthers: boolean
  /** Asks for nothing in particular: "Tell me about it". */
  isGeneral: boolean
  /** Names things of one class to choose from: "plastic or wood". */
  isChoice: boolean
  /** Asks what or how, not whether. */
  isOpen: boolean
  /** Asks to what degree something is so: "how loud is it". */
  asksDegree: boolean
  /** Asks whether the product has something. */
  asksWhether: boolean
  /** Asks what every product answers that says anything: where it is sold, how it is used, what for. */
  intent: Intent | undefined
}

type Intent = 'buy' | 'use' | 'purpose'

const maxTerms = 24
/** Longer strings are not words of a catalogue. */
const maxLetters = 60

const surelyOthers = anyPattern(({ questions }) => questions.surelyOthers)
const others = packs.map((pack) => ({
  asked: anyPattern(({ questions }) => questions.others, [pack]),
  thisOne: anyWord(({ questions }) => questions.thisOne, '', [pack]),
}))

/** Whether a message asks for products, not for what it says about the one at hand. */
function asksForOthers(message: string): boolean {
  const text = foldedText(message)
  if (surelyOthers.test(text)) return true
  return others.some(({ asked, thisOne }) => asked.test(text) && !thisOne.test(text))
}

const smallTalk = anyWord(({ questions }) => questions.smallTalk, 'g')
const thanks = anyWord(({ questions }) => questions.thanks)

/** A message that only greets, thanks or takes leave. */
export function smallTalkIn(message: string): 'thanks' | 'greeting' | undefined {
  const text = foldedText(message)
  const rest = text.replace(smallTalk, ' ')
  if (rest === text || message.includes('?') || termsOf(rest).length > 0 || /\d/.test(rest))
    return undefined
  return thanks.test(text) ? 'thanks' : 'greeting'
}

const generalWords = anyWord(({ questions }) => questions.general)
const openWords = anyWord(({ questions }) => questions.open)
const degrees = anyPattern(({ questions }) => questions.degree)
const havingWords = anyPattern(({ questions }) => questions.having)

const intents = (['buy', 'use', 'purpose'] as const).map((intent): [Intent, RegExp] => [
  intent,
  anyPattern(({ questions }) => questions.intents?.[intent]),
])

/** The first class that is asked for counts. */
const asking = (['material', 'colour', 'place', 'ingredient'] as const).map(
  (answerClass): [RegExp, AnswerClass] => [
    anyPattern(({ questions }) => questions.classes[answerClass]),
    answerClass,
  ],
)

/** What a shop's own words and language say of a question to it. */
type AskedShop = Pick<AiShop, 'synonyms' | 'language'>

interface AskedChat {
  message: string
  history: readonly Turn[]
  shop: AskedShop
}

const unknownShop: AskedShop = { synonyms: [], language: defaultLanguage }

export function questionOf(
  message: string,
  history: readonly Turn[],
  shop: AskedShop = unknownShop,
): Question {
  const terms = [...termsOf(message, shop.synonyms), ...sizesIn(message)]
  const folded = foldedText(message)
  const ofOne = classOfAlternatives(terms, folded)
  const quantities = quantitiesAsked(message)
  return {
    language: languageOfChat({ message, history, shop }),
    words: wordsOf(message),
    terms,
    quantities,
    given:
      quantities.length > 0 ? [] : [...quantitiesIn(message)].filter((kind) => kind !== 'count'),
    counted: quantities.includes('count') ? countedAmong(terms, message) : [],
    answerClass: ofOne ?? asking.find(([pattern]) => pattern.test(folded))?.[1],
    wantsOthers: asksForOthers(message),
    isGeneral: generalWords.test(folded),
    isChoice: ofOne !== undefined,
    isOpen: ofOne !== undefined || openWords.test(folded),
    asksDegree: degrees.test(folded),
    asksWhether: havingWords.test(folded) && !openWords.test(folded),
    intent: intents.find(([, pattern]) => pattern.test(folded))?.[0],
  }
}

const choices = anyPattern(({ questions }) => questions.choice)

/** The class that is asked for where only members of it are named to choose from: "plastic or wood?" */
function classOfAlternatives(terms: readonly Term[], text: string): AnswerClass | undefined {
  const named = terms.filter((term) => !term.isLight)
  if (named.length < 2 || !choices.test(text)) return undefined
  const areAll = (answerClass: AnswerClass) =>
    named.every(({ meanings }) =>
      meanings.some((meaning) => membersOf(answerClass).includes(meaning)),
    )
  return (['material', 'colour'] as const).find(areAll)
}

/** The terms that are to be counted, with the meanings that they have in the whole question. */
function countedAmong(terms: readonly Term[], message: string): Term[] {
  const counted = new Set(countedIn(message))
  return terms.filter(({ word }) => counted.has(word))
}

const sizeLetters = /(?<![\p{L}\p{N}])(?:XXS|XS|S|M|L|XL|XXL|\dXL)(?![\p{L}\p{N}])/u

/** Letters of sizes stand for the word: "between M and L". */
function sizesIn(message: string): Term[] {
  const size = { word: 'size', meanings: meaningsOfWord('size'), isLight: false }
  return sizeLetters.test(message) ? [size] : []
}

/** The distinct words of a text that carry a topic, in order. */
export function termsOf(text: string, groups: SynonymGroups = [], limit = maxTerms): Term[] {
  const words = wordsOf(text).filter((word) => word.length <= maxLetters)
  const language = languageOf(text)
  const written = markedWordsOf(text)
  const isWhole = written !== undefined && written.length === words.length
  const phrases = [...phrasesIn(words), ...compoundsIn(words)]
  const alternatives = alternativesOf(words, groups)
  const needed = needsAsked(text).words
  const terms = new Map<string, Term>()
  for (const [index, word] of words.entries()) {
    if (terms.size === limit || isNumeral(word)) continue
    const around = phrases.filter(({ start, length }) => start <= index && index < start + length)
    const need = needed.get(word)
    if (need === null || isFiller(word, language)) continue
    // A word of a phrase means what the phrase does: "left-handed" is about neither.
    const inPhrase = around.map(({ meaning }) => meaning)
    const marked = isWhole ? written[index] : undefined
    const own = [...new Set(inPhrase.length > 0 ? inPhrase : meaningsOfWord(word, marked))]
    if (word.length < 3 && own.length === 0) continue
    const known = own.length > 0 ? own : meaningsOfUnknown(word, alternatives[index]!)
    terms.set(word, {
      ...termOf(word, known),
      ...(need !== undefined && { need, isLight: false }),
      ...(marked !== undefined && { written: marked }),
      ...(language !== undefined && { language }),
      ...synonymsIn(alternatives[index]!),
    })
  }
  // A phrase of small words is a term of its own: "look after".
  for (const { start, length, meaning } of phrases) {
    const parts = words.slice(start, start + length)
    const phrase = parts.join(' ')
    const others = terms.get(phrase)?.meanings ?? []
    if (terms.size < limit && parts.every((word) => isFiller(word, language)))
      terms.set(phrase, termOf(phrase, [...others, meaning]))
  }
  return withSenses([...terms.values()])
}

/** A word of several meanings has that of a light word beside it: "kutudan neler çıkıyor". */
function withSenses(terms: readonly Term[]): Term[] {
  const light = new Set(terms.flatMap(({ isLight: says, meanings }) => (says ? meanings : [])))
  return terms.map((term) => {
    const isLightHere = term.meanings.some((meaning) => light.has(meaning))
    return isLightHere ? { ...term, isLight: true } : term
  })
}

type Alternatives = readonly (readonly string[])[]

const synonymsIn = (synonyms: Alternatives) => (synonyms.length > 0 ? { synonyms } : {})

/** A word that is in no line means what its synonyms do, or the word it is a misspelling of. */
function meaningsOfUnknown(word: string, synonyms: Alternatives): readonly Meaning[] {
  if (synonyms.length === 0) return meaningsOfMisspelt(word)
  return [...new Set(synonyms.flatMap(meaningsOfAll))]
}

/** What words mean together: "almond oil" means neither all almonds nor all oils. */
function meaningsOfAll(words: readonly string[]): readonly Meaning[] {
  if (words.length === 1) return meaningsOfWord(words[0]!)
  const whole = phrasesIn(words).filter(({ length }) => length === words.length)
  return whole.map(({ meaning }) => meaning)
}

const numerals = new Set(packs.flatMap(({ numbers }) => entriesOf(numbers.numerals)))

const isNumeral = (word: string) => /^\d/.test(word) || numerals.has(word)

/** What a visitor needs, as something to look for. */
export const termOfNeed = (need: Need): Term => ({ word: need, meanings: [], isLight: false, need })

function termOf(word: string, meanings: readonly Meaning[]): Term {
  return { word, meanings, isLight: meanings.length > 0 && meanings.every(isLight) }
}

/** The language to answer in: that of the question, or else of the conversation, or else of the website. */
export function languageOfChat({ message, history, shop }: AskedChat): Language {
  for (const text of [message, ...visitorTurns(history)]) {
    const language = languageOf(text)
    if (language) return language
  }
  return shop.language
}

/** What the visitor said before, latest first. */
export function visitorTurns(history: readonly Turn[]): string[] {
  return history.flatMap(({ role, text }) => (role === 'visitor' ? text : [])).reverse()
}
