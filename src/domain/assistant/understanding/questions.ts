import { foldedText, wordsOf } from '../../../language/words.ts'
import { alternativesOf, type SynonymGroups } from '../../../language/synonyms.ts'
import { defaultLanguage, type Language } from '../../../texts/languages.ts'
import type { Turn } from '../ai_model.ts'
import {
  isLight,
  type Meaning,
  meaningsOfMisspelt,
  meaningsOfWord,
  phrasesIn,
} from '../../../language/lexicon.ts'
import classes from '../../../language/lexicon/classes.json' with { type: 'json' }
import { countedIn, quantitiesAsked, quantitiesIn, type Quantity } from './quantities.ts'
import { isFiller, languageOf } from '../../../language/small_words.ts'

/** A word of a question that carries a topic. */
export interface Term {
  word: string
  meanings: readonly Meaning[]
  /** It says little by itself, as "use" does. */
  isLight: boolean
  /** The shop's other words and phrases for it, each as its words. */
  synonyms?: readonly (readonly string[])[]
}

/** A class of meanings that an answer must have one of: colours, materials. */
type AnswerClass = keyof typeof classes

/** What a visitor wants to know. */
export interface Question {
  language: Language
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
  /** Asks what or how, not whether. */
  isOpen: boolean
  /** Asks whether the product has something. */
  asksWhether: boolean
}

const maxTerms = 24
/** Longer strings are not words of a catalogue. */
const maxLetters = 60

const others =
  /\b(?:do|have) you (?:\w+ )?(?:have|sell|carry|got|stock|offer)\b|\bwhat (?:else )?do you (?:have|sell|recommend|suggest)|\b(?:any|some)thing (?:else|for|with|without|to|against|that|vegan|un)|^(?:something|anything)\b|\banother (?:one|product|\w+)\b|\bany other\b|\bother (?:products?|colou?rs|ones?|options?)\b|\bwhich (?:products?|of your)\b|\bwhich (?!ones?\b|sizes?\b|colou?rs?\b|shades?\b|way|side|temperature|setting|program|material|skin|type|part|age|country)\w+ (?:is|are|would|do|does|can|helps?|suits?|works?)\b|\blooking for\b|\b(?:recommend|suggest)\b|\balternative|\binstead\b/
const thisOne = /\b(?:it|its|this|these|them|they)\b/
const digerleri =
  /\bsizde (?!var\b)|\bsizden\b|\bbaska\b|\balternatif|\bhangi urun|\burun(?:unuz|ler|leriniz|u|)? (?:var|oner|ari)|\bne oner|\boner(?:ir|ebilir|iniz|in|irsin\w*|ileriniz)\b|\bbir ?sey(?:ler)? (?:var|oner|ari|lazim)|\bariyorum\b|\bbenzeri?\b|\bbir (?:\w+ ){1,4}var mi\b|\bneler? var\b|\belinizde (?!var\b)|\bsatiyor musunuz|\bonerisi|\bonerin/
const bunu = /\bbu(?:nu|nun|na|nda|ndan|nlar\w*)?\b/

/** Whether a message asks for products, not for what it says about the one at hand. */
export function asksForOthers(message: string): boolean {
  const text = foldedText(message)
  if (/\bbaska (?:bir )?(?:urun|renk|model|secene)|\bother (?:products|colou?rs)/.test(text))
    return true
  return (others.test(text) && !thisOne.test(text)) || (digerleri.test(text) && !bunu.test(text))
}

const generalWords =
  /\b(?:good|nice|worth|great|best|recommend|tell|about|describe|details?|info|information|overview|what is|what's)\b|\b(?:iyi|guzel|anlat\w*|bilgi\w*|nasil|hakkinda|nedir|ozellik\w*|detay\w*|ozet\w*|tanit\w*|aciklama\w*|ne ise)\b/

const openWords =
  /\b(?:how|what|whats|which|when|where|who|why|kac|nasil|ne|nedir|neler|neden|nerede|nereden|hangi\w*|kim|niye)\b/

const havingWords =
  /\b(?:does|do) (?:it|this|these|they|the \w+) (?:have|contain|include|come)\b|\b(?:is|are) there\b|\b(?:has|have) (?:it|this|they)\b|\bincluded\b|\bvar ?mi(?:dir|ydi)?\b|\bdahil mi\b|\b(?:iceriyor|icerir|cikiyor|geliyor|veriyor|bulunuyor) m[iu]\b/

const asking: [RegExp, AnswerClass][] = [
  [
    /\bfabric\b|\bmaterial|\bmade (?:of|from|out)|\bwhat (?:kind of )?(?:wood|metal|cloth|leather|wool)\b|\bkumas\w*|\bmalzeme\w*|\bneyden\b|\bneden (?:yapil|uretil)|\bhangi (?:kumas|malzeme|agac|ahsap|maden|metal)/,
    'material',
  ],
  [
    /\b(?:what|which|other|any) (?:colou?rs?|shades?)|\bcolou?rs\b|\bhangi renk|\brenkleri|\brenk secene|\bne renk|\brengi ne/,
    'colour',
  ],
  [
    /\bwhere (?:is|was|are|does) (?:it|this|they) (?:\w+ )?(?:made|produced|manufactured|from|come)|\bmade in\b|\bwhich country|\bmensei|\bnere(?:de|nin|li)\b.*(?:uret|yapil|mal|$)|\bhangi ulke|\bcountry of origin/,
    'place',
  ],
  [
    /\bwhat(?:'s| is| are| does)? (?:in|inside|it contain|it made|the ingredients)|\bingredients?\b|\bicinde(?:kiler)? ne(?:ler)?\b|\bicindekiler|\bicerig\w*|\bicerik/,
    'ingredient',
  ],
]

/** The meanings of a class. */
export function membersOf(answerClass: AnswerClass): readonly Meaning[] {
  return classes[answerClass]
}

export function questionOf(
  message: string,
  history: readonly Turn[],
  synonyms: SynonymGroups = [],
): Question {
  const terms = [...termsOf(message, synonyms), ...sizesIn(message)]
  const folded = foldedText(message)
  const quantities = quantitiesAsked(message)
  return {
    language: languageOfChat(message, history),
    terms,
    quantities,
    given:
      quantities.length > 0 ? [] : [...quantitiesIn(message)].filter((kind) => kind !== 'count'),
    counted: quantities.includes('count') ? countedAmong(terms, message) : [],
    answerClass: asking.find(([pattern]) => pattern.test(folded))?.[1],
    wantsOthers: asksForOthers(message),
    isGeneral: generalWords.test(folded),
    isOpen: openWords.test(folded),
    asksWhether: havingWords.test(folded) && !openWords.test(folded),
  }
}

/** The terms that are to be counted, with the meanings that they have in the whole question. */
function countedAmong(terms: readonly Term[], message: string): Term[] {
  const counted = new Set(countedIn(message))
  return terms.filter(({ word }) => counted.has(word))
}

/** Letters of sizes stand for the word: "between M and L". */
function sizesIn(message: string): Term[] {
  const size = { word: 'size', meanings: meaningsOfWord('size'), isLight: false }
  return /\b(?:XXS|XS|S|M|L|XL|XXL|\dXL)\b/.test(message) ? [size] : []
}

/** The distinct words of a text that carry a topic, in order. */
export function termsOf(text: string, groups: SynonymGroups = [], limit = maxTerms): Term[] {
  const words = wordsOf(text).filter((word) => word.length <= maxLetters)
  const language = languageOf(text)
  const phrases = phrasesIn(words)
  const alternatives = alternativesOf(words, groups)
  const terms = new Map<string, Term>()
  for (const [index, word] of words.entries()) {
    if (terms.size === limit || isNumeral(word)) continue
    const around = phrases.filter(({ start, length }) => start <= index && index < start + length)
    if (isFiller(word, language)) continue
    // A word of a phrase means what the phrase does: "left-handed" is about neither.
    const inPhrase = around.map(({ meaning }) => meaning)
    const own = [...new Set(inPhrase.length > 0 ? inPhrase : meaningsOfWord(word))]
    if (word.length < 3 && own.length === 0) continue
    const known = own.length > 0 ? own : meaningsOfUnknown(word, alternatives[index]!)
    terms.set(word, { ...termOf(word, known), ...synonymsIn(alternatives[index]!) })
  }
  // A phrase of small words is a term of its own: "look after".
  for (const { start, length, meaning } of phrases) {
    const parts = words.slice(start, start + length)
    if (terms.size < limit && parts.every((word) => isFiller(word, language)))
      terms.set(meaning, termOf(parts.join(' '), [meaning]))
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

const numerals = new Set(
  'one two three four five six seven eight nine ten bir iki uc dort bes alti yedi sekiz dokuz'.split(
    ' ',
  ),
)

const isNumeral = (word: string) => /^\d/.test(word) || numerals.has(word)

function termOf(word: string, meanings: readonly Meaning[]): Term {
  return { word, meanings, isLight: meanings.length > 0 && meanings.every(isLight) }
}

/** The language to answer in: that of the question, or else of the conversation. */
export function languageOfChat(message: string, history: readonly Turn[]): Language {
  for (const text of [message, ...visitorTurns(history)]) {
    const language = languageOf(text)
    if (language) return language
  }
  return defaultLanguage
}

/** What the visitor said before, latest first. */
export function visitorTurns(history: readonly Turn[]): string[] {
  return history.flatMap(({ role, text }) => (role === 'visitor' ? text : [])).reverse()
}
