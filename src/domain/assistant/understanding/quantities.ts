import type { NumberAsked, Quantity } from '../../../language/number_words.ts'
import { packs } from '../../../language/packs.ts'
import { anyPattern, patternSource, wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'

const digits = String.raw`\d+(?:[.,]\d+)*`
const measures = wordSource(({ numbers }) => numbers.measures)
const articles = wordSource(({ numbers }) => numbers.articles)
const words = `${measures}|${articles}`
const number = `(?:${digits}|\\b(?:${words})(?:${wordSource(({ numbers }) => numbers.endings)})?\\b)`
const time = `(?:${wordSource(({ quantities }) => quantities.time)})`

/** After a number, before its unit: "two and a half hours", "a couple of metres", "two dozen days". */
const fraction = `(?:[ -](?:${wordSource(({ numbers }) => numbers.fractions)}|${words}))?`

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
  temperature: { symbols: '°', isOpen: true, said: String.raw`${digits} ?c\b` },
  share: { said: '%' },
  people: { gap: '[ -]?', isOpen: true },
  energy: { said: String.raw`\bkcal\b|\bkj\b` },
  age: {},
  brightness: { symbols: 'lm|lux', isOpen: true },
  pressure: { symbols: 'bar|psi|kpa|atm|mmhg' },
  count: { said: '<number>' },
}

const inText = Object.entries(writings).map(([kind, writing]): [Quantity, RegExp] => {
  const quantity = kind as Quantity
  const said = [
    quantity === 'duration' ? durationSource() : measuredSource(quantity, writing),
    writing.said,
    patternSource(({ quantities }) => quantities.said[quantity]),
  ]
  const source = said.filter(Boolean).join('|')
  return [quantity, new RegExp(source.replaceAll('<number>', number).replaceAll('<time>', time))]
})

/** A number with a unit; empty for what has none. */
function measuredSource(quantity: Quantity, { symbols, gap = ' ?', isOpen }: Writing) {
  const named = packs.some(({ quantities }) => quantities.units[quantity])
  const units = named ? [wordSource(({ quantities }) => quantities.units[quantity])] : []
  const all = [...(symbols ? [symbols] : []), ...units].join('|')
  return all && `<number>${fraction}${gap}(?:${all})${endingsOf(quantity)}${isOpen ? '' : '\\b'}`
}

/** A number with a unit of time: "two and a half hours", "a single day". */
function durationSource(): string {
  const single = `(?:(?:${wordSource(({ numbers }) => numbers.single)}) )?`
  return `<number>${fraction}[ -]?${single}<time>${endingsOf('duration')}\\b`
}

function endingsOf(quantity: Quantity): string {
  return `(?:${wordSource(({ quantities }) => quantities.unitEndings?.[quantity])})?`
}

/** What the numbers of a text measure. */
export function quantitiesIn(text: string): Set<Quantity> {
  const folded = foldedText(text)
  const found = new Set<Quantity>()
  for (const [kind, pattern] of inText) if (pattern.test(folded)) found.add(kind)
  return found
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
