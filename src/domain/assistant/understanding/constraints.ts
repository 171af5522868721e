import { mapInTurns } from '../../../fairness/yielding.ts'
import type { SynonymGroups } from '../../../language/synonyms.ts'
import { foldedText } from '../../../language/words.ts'
import { type Term, termsOf } from './questions.ts'

/** Skin types that products name. */
export type Skin = 'dry' | 'oily' | 'combination' | 'normal' | 'sensitive'

/** What a visitor demands of every product, whatever else is wished for. */
export interface Constraints {
  /** Things, makers and substances that no product may be or have. */
  without: Term[]
  /** Properties that the product's text must confirm. */
  freeOf: Term[]
  mustBe: Term[]
  /** The visitor's circumstances: a product that warns of one is left out. */
  circumstances: Term[]
  skin: ReadonlySet<Skin>
  time: 'morning' | 'evening' | undefined
  inStockOnly: boolean
  onlySelected: boolean
  maxSteps: number | undefined
  /** More is demanded than is read: nothing may be suggested, for it might be what was not read. */
  areTooMany: boolean
}

/** Far more than a visitor states; each is looked up in the text of every product. */
export const maxDemands = 100

/** Ends a negation: what follows is wished for again. */
const clauseEnd = /[.,;!?\n()]+| - |\b(?:but|however|please|ama|fakat|lutfen|ancak|yalniz)\b/

/** Before what is to be left out, in English. */
const leaving =
  /\b(?:without|no|not|non|nothing|avoid|avoiding|except|excluding|skip|remove|drop|omit|leave out|take out|take away|get rid of|don'?t (?:want|like|use|add|include)|do not (?:want|like|use|add|include)|can'?t (?:stand|have|use|take)|cannot (?:stand|have|use|take)|hate|dislike|free (?:of|from)|instead of)\b/
/** After it, in Turkish. */
const birakan =
  /\b(?:olmasin\w*|istemiyor\w*|istemem|istemiyoruz|haric|disinda|olmadan|olmaksizin|icermesin\w*|icermeyen\w*|kullanam\w*|kullanmiyor\w*|kullanmak istem\w*|sevm\w*|cikar\w*|kaldir\w*|ekleme\w*|koyma\w*|cikart\w*|sil|olmayan\w*|bulunmasin\w*|yiyem\w*|tuketem\w*|katma\w*|yerine)\b/
const allergy =
  /\b(?:allergic|allergy|allergies|intolerant|intolerance|alerji\w*|intolerans\w*|dokunuyor|hassasiyetim)\b/
/** Words that belong to the demand, not to its object. */
const around =
  /\b(?:marka\w*|brand\w*|product\w*|urun\w*|any|anything|something|from|with|to|the|to be|contain\w*|added|icer\w*|iceren|olan|var|is|are|am|i|im|ben\w*|bana|have|has|of|my|a|an|and|or|ve|veya|ile|hic|hicbir|bir|bu|de|da|because|severe|cok|strong|me|it|them|want|like|use)\b/g

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
    skin: new Set(),
    time: undefined,
    inStockOnly: false,
    onlySelected: false,
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
    for (const object of objectsToLeave(clause)) leave(found, termsOf(object, synonyms, Infinity))
    // All of them: what is left out in silence may do harm.
    for (const term of termsOf(clause.replace(leaving, ' '), synonyms, Infinity))
      readTerm(found, term, clause)
  }
  found.skin = new Set([...found.skin, ...skinIn(text)])
  found.time = timeOf(text) ?? found.time
  found.inStockOnly ||=
    /\b(?:only|just)\b.{0,20}\b(?:in stock|available)|\bin[- ]stock (?:only|products|items)|\bwhat(?:'s| is) (?:in stock|available)|\bstokta (?:olan|bulunan|olsun|olmasi|ne)|\bmevcut olan|\bhemen (?:alabil|gonder)|\bstoktaki/.test(
      text,
    )
  found.onlySelected ||=
    /\b(?:only|just) (?:these|those|them|with these|what i (?:chose|selected|picked|have))|\bnothing else|\bno other|\bdo(?:n'?t| not) add|\bbaska (?:bir )?(?:urun|sey)\w* (?:ekleme|koyma|istem|olmasin)|\b(?:sadece|yalnizca|yalniz) (?:bun|sectik|elimdeki)/.test(
      text,
    )
  found.maxSteps = stepsIn(text) ?? found.maxSteps
}

/** The objects of a clause's negation: "no sunscreen", "maskeyi çıkar", "almond allergy". */
function objectsToLeave(clause: string): string[] {
  const objects: string[] = []
  const isAllergy = allergy.exec(clause)
  if (isAllergy) objects.push(clause.replace(allergy, ' '))
  const english = leaving.exec(clause)
  if (english && !isAllergy) objects.push(clause.slice(english.index + english[0].length))
  const turkish = birakan.exec(clause)
  if (turkish && !isAllergy) objects.push(lastWords(clause.slice(0, turkish.index)))
  for (const [, object] of clause.matchAll(/\b([a-z]{3,})[- ]free\b/g)) objects.push(object!)
  for (const [, object] of clause.matchAll(/\b([a-z]{3,})s[iu]z\b/g)) objects.push(object!)
  return objects.map((object) => object.replace(around, ' ').trim()).filter(Boolean)
}

/** What stands right before a Turkish negation, with what "and" joins to it. */
function lastWords(text: string): string {
  const words = text.trim().split(/\s+/)
  let start = Math.max(0, words.length - 2)
  while (start >= 2 && /^(?:ve|veya|ile|,)$/.test(words[start - 1]!)) start -= 2
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
  if (isProperty && !isLeft && !/\bnot\b|\bdegil\b/.test(clause)) demand(found, 'mustBe', term)
  if (/^(?:celiac|coeliac|colyak)/.test(word))
    for (const gluten of termsOf('gluten')) demand(found, 'freeOf', gluten)
}

const skinNames: Record<Skin, string> = {
  dry: 'dry|kuru|kupkuru',
  oily: 'oily|greasy|yagli|yaglan\\w*',
  combination: 'combination|karma',
  normal: 'normal',
  sensitive: 'sensitive|hassas',
}

const skinPatterns = (Object.keys(skinNames) as Skin[]).map((type): [Skin, RegExp] => {
  const skin = '(?:skin|face|complexion|cilt\\w*|cild\\w*|ten\\w*|yuz\\w*)'
  const name = `(?:${skinNames[type]})`
  const listed = `${name}(?:(?:,| and| or| ve| veya| to| ya da)? (?:very |cok )?\\w+){0,2} ${skin}`
  const pattern = `\\b${listed}|\\b${skin}(?: is| are| cok| biraz| genelde| tipi\\w*| type|:)*(?: very| quite| rather)? ${name}\\b|^${name}$`
  return [type, new RegExp(pattern)]
})

/** The skin types that a folded text names. */
export function skinIn(text: string): Skin[] {
  return skinPatterns.filter(([, pattern]) => pattern.test(text)).map(([type]) => type)
}

const morning = /\b(?:mornings?|daytime|by day|for the day|sabah\w*|gunduz\w*)\b/
const evening = /\b(?:evenings?|nights?|night-?time|bedtime|overnight|aksam\w*|gece\w*)\b/

function timeOf(text: string): Constraints['time'] {
  if (morning.test(text) === evening.test(text)) return undefined
  return morning.test(text) ? 'morning' : 'evening'
}

const numbers: Record<string, number> = {
  one: 1,
  single: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  bir: 1,
  tek: 1,
  iki: 2,
  uc: 3,
  dort: 4,
  bes: 5,
  alti: 6,
  yedi: 7,
}

function stepsIn(text: string): number | undefined {
  const counted = String.raw`(\d|${Object.keys(numbers).join('|')})`
  const match = new RegExp(
    String.raw`\b${counted}(?:[ -](?:or|ya da|veya|to) \w+)?[ -]?(?:simple |easy |kolay )?(?:steps?|products?|items?|pieces|things|adim\w*|urun(?:luk|den|le|lu)?|parca\w*|basamak\w*)\b`,
  ).exec(text)
  return match ? (numbers[match[1]!] ?? Number(match[1])) : undefined
}
