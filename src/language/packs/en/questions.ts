import type { QuestionWords } from '../../pack.ts'

/** What is asked about the product at hand: "which size is right". */
const ofThisOne =
  'ones?\\b|sizes?\\b|colou?rs?\\b|shades?\\b|way|side|temperature|setting|program|material|skin|type|part|age|country'

export const questions: QuestionWords = {
  others: [
    /\b(?:do|have) you (?:\w+ )?(?:have|sell|carry|got|stock|offer)\b/,
    /\bwhat (?:else )?do you (?:have|sell|recommend|suggest)/,
    /\b(?:any|some)thing (?:else|for|with|without|to|against|that|vegan|un)/,
    /^(?:something|anything)\b/,
    /\banother (?:one|product|\w+)\b/,
    /\bany other\b/,
    /\bother (?:products?|colou?rs|ones?|options?)\b/,
    /\bwhich (?:products?|of your)\b/,
    new RegExp(
      `\\bwhich (?!${ofThisOne})\\w+ (?:is|are|would|do|does|can|helps?|suits?|works?)\\b`,
    ),
    /\bwhich ones? (?:\w+ ){1,5}for (?!me\b)/,
    /\blooking for\b/,
    /\b(?:recommend|suggest)\b/,
    /\balternative/,
    /\binstead\b/,
    /^(?:hi |hello )?(?:i|we) (?:need|want|would like|am after|am searching for) (?:an?|some|something)\b/,
    /\bhave you (?:got )?(?:any|something|an?)\b/,
    /\bshow me (?:an?|some|your|the)\b/,
    /\bwhat (?:should|can|could) (?:i|we) (?:get|buy|use|take) (?:for|against|to|when|if)\b/,
  ],
  thisOne: 'it, its, this, these, them, they',
  surelyOthers: [/\bother (?:products|colou?rs)/],
  general: `good, nice, worth, great, best, recommend, tell, about, describe, details?, info, information,
    overview, what is, what's`,
  // "Is it slippery when wet?" asks for no time.
  open: 'how, what(?! if\\b), whats, which, where, who, why, (?<=^|[.?!;] |\\band |\\bso |\\bbut |\\bhi |\\bhello )when',
  degree: [
    /\bhow (?!long|often|many|much|old|far|fast|soon|quickly|to|do|does|did|can|should|is|are|will|would|about|come|has|have)\w+ (?:is|are|does|do|will|would)\b/,
  ],
  having: [
    /\b(?:does|do) (?:it|this|these|they|the \w+) (?:have(?! to\b)|contain|include|come with|come in)\b/,
    /^(?:do|will|would) (?:i|you|we) get\b/,
    /\b(?:is|are) there\b/,
    /\b(?:has|have) (?:it|this|they)\b/,
    /\bincluded\b/,
  ],
  time: [
    /^(?:so |and |but )?when\b/,
    /\b(?:best|right) time\b/,
    /\b(?:which|what) (?:month|season)\b/,
  ],
  when: [/(?<=\w )(?:(?:when|while|if|once)\b.*|in the wash\b)/],
  choice: [/\bor\b/],
  intents: {
    buy: [
      /\bwhere (?:can|could|do|may) (?:i|we|one|you) (?:buy|get|order|purchase|find) (?:it|this|these|them|one)\b/,
      /\b(?:how|where) (?:can|could|do|to) (?:i |we )?(?:buy|order|purchase)\b/,
      /\bwhere (?:is|are) (?:it|this|they|these) (?:sold|available|stocked)\b/,
      /\bwhere (?:do|does|can|could) (?:\w+ ){1,2}(?:sell|stock) (?:it|this|them|these)\b/,
      /\bwho (?:sells|stocks) (?:it|this|them|these)\b/,
      /\bwhich (?:shops?|stores?) (?:sells?|stocks?|has|have)\b/,
    ],
    use: [
      /^(?:so |and |but )?how (?:do|should|can|must|would) (?:i|you|we|one) (?:use|apply) (?:it|this|them|these)\b(?! (?:with|for|on|in|as|if|when))/,
      /\bhow (?:is|are) (?:it|this|they|these) (?:(?:to be|best|meant to be) )?(?:used|applied)\b/,
      /\bhow to (?:use|apply) (?:it|this|them|these)\b/,
      /^(?:(?:what are the )?(?:directions|instructions)(?: for use)?|usage|how to (?:use|apply))\??$/,
      /\bhow (?:does|do) (?:it|this|they|these|one) work\b\??$/,
      /\bwhat do i do with (?:it|this|them|these)\??$/,
    ],
    purpose: [
      /\bwhat(?: is| are|'?s) (?:it|this|they|these|that) (?:\w+ )?(?:for|good for|used for)\b/,
      /\bwhat (?:would|can|do|could) (?:i|you|we|one|people) (?:use|need|want) (?:it|this|them|these) for\b/,
      /\bwhat (?:does|do|will|can) (?:it|this|they|these) do\b/,
      /\bwhy (?:would|should|do) (?:i|one|you) (?:need|want|buy|use) (?:it|this|them|these)\??$/,
      /\bwhat (?:is|are) (?:it|this|they|these)\??$/,
      /\bwhat (?:is|are) (?:its|the) (?:purpose|benefits?)\b/,
    ],
  },
  whether: [
    /^(?:is|are|was|does|do|did|can|could|will|would|has|have|should|must|may)(?:n'?t)? (?:i|it|its|this|these|they|you|we|one|the|there|my|a|an|your)\b/,
  ],
  joins: 'and, also, and also, plus',
  yesOrNo: 'yes, no',
  smallTalk: `hello, hi, hey, hiya, good (?:morning|afternoon|evening|day|night), thanks, thank you, thx, cheers,
    bye, goodbye, see you, ok, okay, great, perfect, lovely, awesome, nice`,
  thanks: 'thanks, thank you, thx, cheers',
  classes: {
    material: [
      /\bfabric\b/,
      /\bmaterial/,
      /\bmade (?:of|from|out)/,
      /\bwhat (?:kind of )?(?:wood|metal|cloth|leather|wool)\b/,
    ],
    colour: [/\b(?:what|which|other|any) (?:colou?rs?|shades?)/, /\bcolou?rs\b/],
    place: [
      /\bwhere (?:is|was|are|does) (?:it|this|they) (?:\w+ )?(?:made|produced|manufactured|from|come)/,
      /\bmade in\b/,
      /\bwhich country/,
      /\bcountry of origin/,
    ],
    ingredient: [
      /\bwhat(?:'s| is| are| does)? (?:in|inside|it contain|it made|the ingredients)/,
      /\bingredients?\b/,
    ],
  },
}
