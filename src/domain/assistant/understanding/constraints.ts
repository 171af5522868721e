import { mapInTurns } from '../../../fairness/yielding.ts'
import type { Need } from '../../../language/need_words.ts'
import { kindOfNeed } from '../../../language/need_patterns.ts'
import { needsAsked } from '../../../language/needs.ts'
import { packs } from '../../../language/packs.ts'
import { anyPattern, anyWord, wordSource } from '../../../language/patterns.ts'
import type { SynonymGroups } from '../../../language/synonyms.ts'
import { rootsOf } from '../../../language/word_forms.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import { type Term, termsOf } from './questions.ts'

/** What a visitor demands of every product, whatever else is wished for. */
export interface Constraints {
  /** Things, makers and substances that no product may be or have. */
  without: Term[]
  /** Properties that the product's text must confirm. */
  freeOf: Term[]
  mustBe: Term[]
  /** The visitor's circumstances: a product that warns of one is left out. */
  circumstances: Term[]
  /** What it is needed for: of its kind, a product may be for nothing else alone. */
  needs: ReadonlySet<Need>
  time: 'morning' | 'evening' | undefined
  inStockOnly: boolean
  onlySelected: boolean
  /** The words of each clause that says what alone is wanted; a brand among them is a demand. */
  onlyOf: ReadonlySet<string>[]
  /** It is for a baby: a product must say that it is, too. */
  isForBaby: boolean
  maxSteps: number | undefined
  /** More is demanded than is read: nothing may be suggested, for it might be what was not read. */
  areTooMany: boolean
}

/** Far more than a visitor states; each is looked up in the text of every product. */
export const maxDemands = 100

/** Ends a negation: what follows is wished for again. */
const clauseEnd = new RegExp(
  `[.,;!?\\n()]+| - |\\b(?:${wordSource(({ demands }) => demands.clauseEnds)})\\b`,
)
/** Before what is to be left out. */
const leaving = anyWord(({ demands }) => demands.leaving)
/** After it. */
const left = packs.map((pack) => ({
  words: anyWord(({ demands }) => demands.left?.words, '', [pack]),
  joins: new RegExp(`^(?:${wordSource(({ demands }) => demands.left?.joins, [pack])}|,)$`),
}))
/** Around it: "leave the mask out". */
const leftBetween = packs.flatMap(({ demands }) => demands.leftBetween ?? [])
const only = anyWord(({ demands }) => demands.only)
const forBaby = anyPattern(({ demands }) => demands.forBaby)
/** Before what a product shall have none of: "unperfumed". */
const privativeStart = packs.flatMap(({ demands: { privative } }) =>
  privative.beginning ? new RegExp(`^(?:${privative.beginning})-?(?=\\p{L}{4})`, 'u') : [],
)
const allergy = anyWord(({ demands }) => demands.allergy)
/** Words that belong to the demand, not to its object. */
const around = anyWord(({ demands }) => demands.around, 'g')
/** What a product shall have none of, in one word: "sugar-free". */
const privatives = packs.flatMap(({ demands: { privative } }) =>
  privative.suffix ? new RegExp(`\\b([a-z]{3,})(?:${privative.suffix})\\b`, 'g') : [],
)
const not = anyWord(({ demands }) => demands.not)
const celiac = anyWord(({ demands }) => demands.celiac)
const inStockOnly = anyPattern(({ demands }) => demands.inStockOnly)
const onlySelected = anyPattern(({ demands }) => demands.onlySelected)

/** Substances and properties whose absence a product's text must confirm. */
const confirmed = new Set([
  'perfume',
  'alcohol',
  'gluten',
  'paraben',
  'silicone',
  'sulphate',
  'sugar',
  'milk',
  'lactose',
  'animal_tested',
])
const properties = new Set(['vegan', 'organic', 'natural'])

/** Circumstances that a product's text may warn of. */
const circumstances = new Set([
  'pregnant',
  'breastfeed',
  'dyed',
  'baby',
  'child',
  'allergy',
  'eczema',
  'psoriasis',
  'dermatitis',
  'rosacea',
  'puppy',
  'dog',
  'cat',
  'bird',
  'hamster',
  'rabbit',
  'breed',
  'acne',
  'redness',
  'old',
  'sick',
  'hair_loss',
])

/** Everything that the visitor demands in these texts, from the first to the last. */
export async function constraintsOf(
  texts: readonly string[],
  synonyms: SynonymGroups,
): Promise<Constraints> {
  const found: Constraints = {
    without: [],
    freeOf: [],
    mustBe: [],
    circumstances: [],
    needs: new Set(),
    time: undefined,
    inStockOnly: false,
    onlySelected: false,
    onlyOf: [],
    isForBaby: false,
    maxSteps: undefined,
    areTooMany: false,
  }
  await mapInTurns(texts, (text) =>
    readText(found, foldedText(text).replaceAll('’', "'"), synonyms),
  )
  return found
}

function readText(found: Constraints, text: string, synonyms: SynonymGroups): void {
  for (const clause of text.split(clauseEnd)) {
    if (found.areTooMany) return
    if (only.test(clause) && found.onlyOf.length < maxDemands)
      found.onlyOf.push(new Set(rootWordsOf(clause)))
    for (const object of objectsToLeave(clause)) leave(found, termsOf(object, synonyms, Infinity))
    // All of them: what is left out in silence may do harm.
    for (const term of termsOf(clause.replace(leaving, ' '), synonyms, Infinity))
      readTerm(found, term, clause)
  }
  found.needs = needsAfter(found.needs, text)
  found.time = timeOf(text) ?? found.time
  found.inStockOnly ||= inStockOnly.test(text)
  found.onlySelected ||= onlySelected.test(text)
  found.maxSteps = stepsIn(text) ?? found.maxSteps
  found.isForBaby ||= forBaby.test(text)
}

/** The words of a clause and what they may be forms of: "Lal'den". */
function rootWordsOf(clause: string): string[] {
  return wordsOf(clause).flatMap(rootsOf)
}

/** The objects of a clause's negation: "no sunscreen", "maskeyi çıkar", "almond allergy". */
function objectsToLeave(clause: string): string[] {
  const objects: string[] = []
  const isAllergy = allergy.exec(clause)
  if (isAllergy) objects.push(clause.replace(allergy, ' '))
  for (const pattern of leftBetween) {
    const [, object] = pattern.exec(clause) ?? []
    if (object) objects.push(object)
  }
  const before = leaving.exec(clause)
  if (before && !isAllergy) objects.push(clause.slice(before.index + before[0].length))
  for (const { words, joins } of left) {
    const after = words.exec(clause)
    if (after && !isAllergy) objects.push(lastWords(clause.slice(0, after.index), joins))
  }
  for (const privative of privatives)
    for (const [, object] of clause.matchAll(privative)) objects.push(object!)
  return objects.map((object) => object.replace(around, ' ').trim()).filter(Boolean)
}

/** What stands right before a negation, with what "and" joins to it. */
function lastWords(text: string, joins: RegExp): string {
  const words = text.trim().split(/\s+/)
  let start = Math.max(0, words.length - 2)
  while (start >= 2 && joins.test(words[start - 1]!)) start -= 2
  return words.slice(start).join(' ')
}

function leave(found: Constraints, objects: readonly Term[]): void {
  for (const term of objects) {
    if (term.meanings.some((meaning) => meaning === 'stock' || meaning === 'allergy')) continue
    if (term.isLight && term.meanings.every((meaning) => meaning !== 'set')) continue
    const isConfirmed = term.meanings.some((meaning) => confirmed.has(meaning))
    demand(found, isConfirmed ? 'freeOf' : 'without', term)
  }
}

/** Adds a demand, once. */
function demand(
  found: Constraints,
  kind: 'without' | 'freeOf' | 'mustBe' | 'circumstances',
  term: Term,
): void {
  if (found[kind].some(({ word }) => word === term.word)) return
  const { without, freeOf, mustBe, circumstances: own } = found
  const stated = without.length + freeOf.length + mustBe.length + own.length
  if (stated < maxDemands) found[kind].push(term)
  else found.areTooMany = true
}

function readTerm(found: Constraints, term: Term, clause: string): void {
  const { word, meanings } = term
  if (meanings.some((meaning) => circumstances.has(meaning))) demand(found, 'circumstances', term)
  const isProperty = meanings.some((meaning) => properties.has(meaning))
  const isLeft = found.without.some((other) => other.word === word)
  if (isProperty && !isLeft && !not.test(clause)) demand(found, 'mustBe', term)
  for (const start of privativeStart)
    for (const bare of start.test(word) ? termsOf(word.replace(start, '')) : [])
      if (bare.meanings.some((meaning) => confirmed.has(meaning))) demand(found, 'freeOf', bare)
  if (celiac.test(word)) for (const gluten of termsOf('gluten')) demand(found, 'freeOf', gluten)
}

/** What is said later of the same kind holds instead: "Actually, my skin is oily". */
function needsAfter(before: ReadonlySet<Need>, text: string): Set<Need> {
  const { wanted, denied } = needsAsked(text)
  const kinds = new Set([...wanted].map(kindOfNeed))
  const kept = [...before].filter((need) => !denied.has(need) && !kinds.has(kindOfNeed(need)))
  return new Set([...kept, ...wanted])
}

const morning = anyWord(({ demands }) => demands.morning)
const evening = anyWord(({ demands }) => demands.evening)

function timeOf(text: string): Constraints['time'] {
  if (morning.test(text) === evening.test(text)) return undefined
  return morning.test(text) ? 'morning' : 'evening'
}

const numbers = new Map(packs.flatMap(({ numbers: { values } }) => Object.entries(values)))

/** "Three steps", "2 or 3 simple products". */
const steps = new RegExp(
  [
    `\\b(\\d|${[...numbers.keys()].join('|')})`,
    `(?:[ -](?:${wordSource(({ demands }) => demands.steps.or)}) \\w+)?[ -]?`,
    `(?:(?:${wordSource(({ demands }) => demands.steps.simple)}) )?`,
    `(?:${wordSource(({ demands }) => demands.steps.nouns)})\\b`,
  ].join(''),
)

function stepsIn(text: string): number | undefined {
  const [, count] = steps.exec(text) ?? []
  return count === undefined ? undefined : (numbers.get(count) ?? Number(count))
}
