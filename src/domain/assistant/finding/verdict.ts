import type { WantedState } from './wanted.ts'
import { bonuses, enough, inWords } from './weights.ts'

/** What speaks for a sentence as an answer, and against it. */
interface Evidence {
  /** It speaks of what is decisive in the question, and of no other thing instead. */
  saysIntents: boolean
  /** The share of all terms that it says, by their weights. */
  share: number
  wanted: WantedState
  /** No other sentence has what is wanted. */
  isOnlyOne: boolean
  /** A heavy term is at least related to the sentence. */
  related: boolean
  /** The share of the heavy terms that it covers. */
  coverage: number
  /** The number of heavy terms. */
  heavy: number
  /** The number of all terms, and of those that it covers. */
  terms: number
  covered: number
  asksWhether: boolean
  /** A thing of some class is asked for. */
  asksClass: boolean
}

interface Rule {
  name: string
  when: (evidence: Evidence) => boolean
  /** Zero if the sentence is no answer. */
  score: (share: number) => number
  /** A question, and a sentence that meets this rule and none above it. */
  example: readonly [asked: string, said: string]
}

const refused = () => 0
const byShare = (share: number) => share
const withWanted = (share: number) => bonuses.wanted + share
const withWantedAlone = (share: number) => bonuses.wantedAlone + share

/** The first rule that a sentence meets decides. */
export const rules = [
  {
    name: 'is silent about what is decisive',
    when: ({ saysIntents }) => !saysIntents,
    score: refused,
    example: ['Is there a warranty?', 'The lid is tight.'],
  },
  {
    name: 'says in words what is asked for as a number',
    when: ({ wanted, covered, terms }) => wanted === 'absent' && covered === terms && terms > 1,
    score: (share) => share * inWords,
    example: ['How long is the skirt?', 'The skirt is long.'],
  },
  {
    name: 'lacks the number or kind of thing that is asked for',
    when: ({ wanted }) => wanted === 'absent',
    score: refused,
    example: ['How heavy is it?', 'Made of oak.'],
  },
  {
    name: 'has what is asked for, of the topic',
    when: ({ wanted, related, heavy }) => wanted !== 'none' && (related || heavy === 0),
    score: withWanted,
    example: ['How wide is the handle?', 'The handle is 4 cm wide.'],
  },
  {
    name: 'lists a thing of the kind that is asked for',
    when: ({ wanted, heavy }) => wanted === 'listed' && heavy === 1,
    score: withWantedAlone,
    example: ['What is the lid made of?', 'Oak.'],
  },
  {
    name: 'has the only such number',
    when: ({ wanted, isOnlyOne, heavy }) => wanted === 'present' && isOnlyOne && heavy <= 1,
    score: withWantedAlone,
    example: ['How much does the lid weigh?', 'It weighs 300 g.'],
  },
  {
    name: 'has no thing of the kind that alone is asked for',
    when: ({ asksClass, heavy }) => asksClass && heavy === 0,
    score: refused,
    example: ['What is it made of?', 'It is made in Portugal.'],
  },
  {
    name: 'says something of a question without a topic',
    when: ({ heavy, covered }) => heavy === 0 && covered > 0,
    score: byShare,
    example: ['Can it be used?', 'Use it every day.'],
  },
  {
    name: 'says nothing of a question without a topic',
    when: ({ heavy }) => heavy === 0,
    score: refused,
    example: ['Is it any good?', 'The lid is tight.'],
  },
  {
    name: 'covers enough of the topics',
    when: ({ coverage, heavy, asksWhether }) => coverage >= enoughOf(heavy, asksWhether),
    score: byShare,
    example: ['Is the handle wooden?', 'It has a wooden handle.'],
  },
  {
    name: 'covers too little of the topics',
    when: () => true,
    score: refused,
    example: ['How heavy is the lid of the pot?', 'It weighs 300 g.'],
  },
] as const satisfies readonly Rule[]

export type RuleName = (typeof rules)[number]['name']

export function verdictOf(evidence: Evidence): { rule: RuleName; score: number } {
  const rule = rules.find(({ when }) => when(evidence))!
  return { rule: rule.name, score: rule.score(evidence.share) }
}

/** The share of the heavy terms to be covered. Whether a product has something must be about it. */
function enoughOf(heavy: number, asksWhether: boolean): number {
  const { whether, few, several, many } = enough
  if (asksWhether) return whether
  if (heavy <= few.topics) return few.share
  return heavy <= several.topics ? several.share : many
}
