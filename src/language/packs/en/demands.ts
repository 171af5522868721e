import type { DemandWords } from '../../pack.ts'

export const demands: DemandWords = {
  clauseEnds: 'but, however, please',
  leaving: `without, no, not, non, nothing, avoid, avoiding, except, excluding, skip, remove, drop, omit,
    leave out, take out, take away, get rid of, don'?t (?:want|like|use|add|include),
    do not (?:want|like|use|add|include), can'?t (?:stand|have|use|take), cannot (?:stand|have|use|take),
    hate, dislike, free (?:of|from), instead of`,
  leftBetween: [/\b(?:leave|take|keep|cut) (?:the |my |any |all )?(.{2,40}?) (?:out|off|away)\b/],
  forBaby: [/\bfor (?:my |our |a |the )?(?:\w+ ){0,2}(?:baby|babies|newborns?|infants?)\b/],
  only: 'only, just, exclusively, nothing but',
  allergy: 'allergic, allergy, allergies, intolerant, intolerance',
  around: `brand*, product*, any, anything, something, from, with, to, the, contain*, added, is, are, am, i, im,
    have, has, of, my, a, an, and, or, because, severe, strong, me, it, them, want, like, use`,
  not: 'not',
  inStockOnly: [
    /\b(?:only|just)\b.{0,20}\b(?:in stock|available)/,
    /\bin[- ]stock (?:only|products|items)/,
    /\bwhat(?:'s| is) (?:in stock|available)/,
  ],
  onlySelected: [
    /\b(?:only|just) (?:these|those|them|with these|what i (?:chose|selected|picked|have))/,
    /\bnothing else/,
    /\bno other/,
    /\bdo(?:n'?t| not) add/,
  ],
  celiac: 'celiac*, coeliac*',
  privative: { suffix: '[- ]free', beginning: 'un|non' },
  morning: 'mornings?, daytime, by day, for the day',
  evening: 'evenings?, nights?, night-?time, bedtime, overnight',
  steps: {
    or: 'or, to',
    simple: 'simple, easy',
    nouns: 'steps?, products?, items?, pieces, things',
  },
}
