import type { NumberAsked, Quantity } from '../../../language/number_words.ts'
import { packs } from '../../../language/packs.ts'
import { anyPattern, wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'

const digits = String.raw`\d+(?:[.,]\d+)*`
/**
 * Digits in a pattern. The last group of "1.000.000 ml" says as much as all of them; they are only read whole
 * behind a word. Tried whole from each digit, a long row of them would take the square of its length.
 */
const digitsFound = String.raw`(?:(?<!\d)\d+|(?<=[a-z] ?)${digits})`
const measures = wordSource(({ numbers }) => numbers.measures)
const articles = wordSource(({ numbers }) => numbers.articles)
const endings = `(?:${wordSource(({ numbers }) => numbers.endings)})?`
const time = `(?:${wordSource(({ quantities }) => quantities.time)})`

const numberWords = new RegExp(`\\b(?:${measures})${endings}\\b`, 'g')

/**
 * Words for numbers as digits. Listed in the pattern of each quantity instead, they take 100 ms of a
 * process's first chat: a pattern is compiled when it is first used.
 */
const withDigits = (text: string) => text.replace(numberWords, '1')

const number = `(?:${digitsFound}|\\b(?:${articles})\\b)`
const fractions = withDigits(wordSource(({ numbers }) => numbers.fractions))

/** A number and what may follow before its unit: "two and a half hours", "a couple of metres". */
const amount = `${number}(?:[ -](?:${fractions}))?`

/** How a quantity is written: its symbols, and how they stand behind the number. */
interface Writing {
  symbols?: string
  gap?: string
  /** What follows a unit may be part of the word: "4 kişilik". */
  isOpen?: boolean
  /** What says it without a unit that belongs to a language. `<number>` stands for one. */
  said?: string
}

const writings: Record<Quantity, Writing> = {
  duration: {},
  frequency: {},
  weight: { symbols: 'g|gr|kg|lbs?|oz' },
  length: { symbols: 'mm|cm|m|km', said: String.raw`\d ?x ?\d` },
  volume: { symbols: 'ml|cl|dl|l|lt' },
  power: { symbols: 'w|kw' },
  voltage: { symbols: 'v' },
  sound: { symbols: 'db' },
  temperature: { symbols: '°', isOpen: true, said: String.raw`\d ?c\b` },
  share: { said: '%' },
  people: { gap: '[ -]?', isOpen: true },
  energy: { said: String.raw`\bkcal\b|\bkj\b` },
  age: {},
  brightness: { symbols: 'lm|lux', isOpen: true },
  pressure: { symbols: 'bar|psi|kpa|atm|mmhg' },
  count: { said: '<number>' },
}

/** How a text says each quantity: by a number, where words for numbers are digits, or without one. */
const inText = Object.entries(writings).map(([kind, writing]) => {
  const quantity = kind as Quantity
  const said = packs.flatMap(({ quantities }) => quantities.said[quantity] ?? [])
  const sources = [writing.said, ...said.map(({ source }) => source)].filter(
    (source) => source !== undefined,
  )
  const isCounted = (source: string) => source.includes('<number>')
  return {
    quantity,
    counted: patternOf([measuredSource(quantity, writing), ...sources.filter(isCounted)]),
    said: patternOf(sources.filter((source) => !isCounted(source))),
  }
})

function patternOf(sources: readonly string[]): RegExp {
  const source = sources.join('|') || '(?!)'
  return new RegExp(source.replaceAll('<number>', number).replaceAll('<time>', time))
}

/** A number with a unit; finds nothing for what has none. */
function measuredSource(quantity: Quantity, { symbols, gap = ' ?', isOpen }: Writing): string {
  if (quantity === 'duration') return `${amount}[ -]?${time}${endingsOf(quantity)}\\b`
  const named = packs.some(({ quantities }) => quantities.units[quantity])
  const units = named ? [wordSource(({ quantities }) => quantities.units[quantity])] : []
  const all = [...(symbols ? [symbols] : []), ...units].join('|') || '(?!)'
  return `${amount}${gap}(?:${all})${endingsOf(quantity)}${isOpen ? '' : '\\b'}`
}

function endingsOf(quantity: Quantity): string {
  return `(?:${wordSource(({ quantities }) => quantities.unitEndings?.[quantity])})?`
}

/** What the numbers of a text measure. */
export function quantitiesIn(text: string): Set<Quantity> {
  const folded = foldedText(text)
  const inDigits = withDigits(folded)
  const found = inText.filter(({ counted, said }) => counted.test(inDigits) || said.test(folded))
  return new Set(found.map(({ quantity }) => quantity))
}

/** What answers each kind of question for a number. The first kind that a question is of counts. */
const answering: Partial<Record<NumberAsked, readonly Quantity[]>> = {
  age: ['age'],
  frequency: ['frequency'],
  extent: ['length', 'duration'],
  duration: ['duration'],
  weight: ['weight'],
  size: ['length', 'volume'],
  length: ['length'],
  volume: ['volume'],
  power: ['power'],
  voltage: ['voltage'],
  sound: ['sound'],
  temperature: ['temperature'],
  share: ['share', 'weight', 'volume'],
  people: ['people'],
  energy: ['energy'],
  brightness: ['brightness'],
  pressure: ['pressure'],
  strength: ['share', 'count'],
  count: ['count'],
  amount: ['weight', 'volume', 'share', 'duration', 'count', 'length'],
}

const asked = Object.entries(answering).map(([kind, answers]): [RegExp, readonly Quantity[]] => [
  anyPattern(({ quantities }) => quantities.asked[kind as NumberAsked]),
  answers,
])

/** What a question wants to have measured; empty if it asks for no number. */
export function quantitiesAsked(question: string): readonly Quantity[] {
  const folded = foldedText(question)
  return asked.find(([pattern]) => pattern.test(folded))?.[1] ?? []
}

/** Numbers and the words after each, as far as they may name what is counted: "five bright levels". */
export function countsIn(text: string): string[][] {
  const tokens = foldedText(text).match(/[\p{L}\p{N}]+(?:[.,]\d+)?/gu) ?? []
  return tokens.flatMap((token, index) =>
    isNumber.test(token) ? [tokens.slice(index + 1, index + 4)] : [],
  )
}

const isNumber = new RegExp(`^(?:${digits}|${measures})$`)

const countedBefore = packs.flatMap(({ quantities }) => quantities.countedBefore ?? [])
const countedAfter = new RegExp(
  `\\b(?:${wordSource(({ quantities }) => quantities.countAsked)}) (\\p{L}+)(?: (\\p{L}+))?`,
  'u',
)

/** What a question wants to have counted: the words beside "how many". */
export function countedIn(question: string): string[] {
  const text = foldedText(question)
  const before = countedBefore.map((pattern) => pattern.exec(text)?.[1])
  const after = countedAfter.exec(text)
  return [...before, after?.[1], after?.[2]].filter((word) => word !== undefined)
}
