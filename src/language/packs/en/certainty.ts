import type { CertaintyWords } from '../../pack.ts'

/*
 * A clause must be read in one way only: where a repeated group can take the same words in two, a text of
 * nothing but such words takes longer than anyone waits.
 */

/** What is asked about, in a clause: words that follow each other. */
const it = String.raw`\b(?:\w+# )*\w+#`
const joins = '(?: ,| or| and| nor)+'
const item = String.raw`(?!(?:or|and|nor) )\w+`
/** Things before it in a list: "no parabens, mineral oil or latex#". */
const listed = String.raw`(?:\w+(?: ${item})?${joins} (?:${item}(?: ${item})?${joins} )*)?`
/** It is not part of the name of another thing, as in "latex# gloves". */
const whole = String.raw`(?=$| [,:]| (?:and|or|nor|in|at|on|to|of|for|from|with|by|is|are|so|as|up|which|that|inside|included|supplied|provided|added|either|too|it|whatsoever)\b)`
/** Nothing follows that could limit it. */
const end = String.raw`(?=$| ,| (?:and|or|nor|so|either|too|at all|because|since|as it)\b| (?:it|them)(?:$| ,))`
const the = String.raw`(?:the |an? |your |any |all |every |both |even |its )*`
/** Where a clause about the product begins. */
const start = String.raw`(?:^|, |\band |\bso )(?:(?:it|they|this|these|you|please|will|would|does|do|can|should|must|also|is|are|s|has|have) )*`
/** What may stand before what a product is. */
const besides =
  '(?:it|they|this|is|are|fully|completely|entirely|totally|also|both|100|certified|and|s) '
/** A part that is itself asked about: "the hood#". */
const ofPart = String.raw`(?:^|, )(?:the|its|their) ${it}`
const not = String.raw`(?:not|never|cannot|(?:don|doesn|can|won|isn|aren|shouldn|mustn|couldn) t)`
const used = String.raw`(?:for|in|on|with|by|near|as|to|be|use|used|into|under)`
/** What stands before "with" where it does not say what a thing has: "wipe with". */
const doneWith = String.raw`(?<!\b(?:used?|using|wash|washed|clean|cleaned|combined?|wear|worn|pair|works?|compatible|mix|mixed|apply|rinse|wipe|fill|filled|along|together|treat|treated|dry|dried|it|them|contact) )`

/** A word before a material that does not negate it: "solid wood" is wood, "faux leather" is no leather. */
const kind = '(?:(?!faux|fake|imitation|vegan|artificial|synthetic|mock|half|part|pu)[a-z]+ )'
/** What is packed in, or around a product, and not the product: "plastic-free packaging". */
const packing = String.raw`(?:packag|box|bag|bottle|tin|tube|jar|case|wrap|pouch)\w*`

const pattern = (source: string) => new RegExp(source)

export const certainty: CertaintyWords = {
  asks: {
    having: [
      /\b(?:does|do) (?:it|this|these|they|the \w+) (?:\w+ )?(?:have|contain|include|come with)\b/,
      /\b(?:is|are) there\b/,
      /\b(?:has|have) (?:it|this|they) got\b/,
      /^(?:is|are) .* included$/,
      /^(?:does|do) (?:an? |the )?\w+(?: \w+)? come with (?:it|this|them)$/,
      /^do you (?:have|sell|make|offer) (?:it|this|them|these) in\b/,
      /^(?:does|do) (?:it|this|they|these) come in\b/,
      /^(?:do|will) (?:i|you|we) (?:get|include|supply)\b/,
      /^(?:can|could|does|do|will) (?:i|you|we|it|they|this) (?:connect|pair)(?: it| them| this)? (?:over|via|by|through) \w+$/,
    ],
    suiting: [
      /^(?:is|are) (?:it|this|these|they|the \w+) (?:suitable|safe|ok|okay|fine|good|right|meant|intended|designed|made|appropriate|ideal|recommended|compatible|for)\b/,
      /^(?:can|could|may|should) (?:it|this|they|these) be (?:used|worn)\b/,
      /^(?:can|could|may|should) (?:\w+ ){1,2}(?:use|wear)\b/,
      /^(?:can|could|may) (?:(?:i|you|we) (?:put|place) (?:it|this|them|these)|(?:it|they|this|these) (?:go|be put)) (?:in|into|on|through)\b/,
      /^(?:does|do|will) (?:it|this|they|these) (?:suit|(?:work|go|run) (?:with|on|in))\b/,
    ],
    being: [/^(?:is|are) (?:it|this|these|they|the \w+) /],
    doing: [/^(?:can|could|may|does|do|will|would) /],
  },
  idle: 'hi, hello, hey, please, so, also, but, and, well, then, actually',
  asksLacking: [
    /^(?:is|are) (?:it|this|these|they|the \w+) (?:\w+ )?(?:\w+ free|free (?:of|from)|without|un(?:scented|perfumed|sweetened))\b/,
  ],
  asksMade: [
    /^(?:is|are) (?:it|this|these|they) (?:hand ?)?made (?:of|from|out of|in) \w+(?: \w+)?$/,
  ],
  unclear: [/\bnot\b|\bn t\b|\b(?:isn|aren|doesn|don|can|won|hasn) t\b/, /\bor\b/, /\bonly\b/],
  no: {
    having: [
      pattern(
        String.raw`\b(?:no|without|zero|free (?:of|from)) (?:any |added )?${listed}(?:\w+ )?${it}${whole}`,
      ),
      // Not of what it is made with: "with gluten-free oats".
      pattern(
        String.raw`(?:^|, )(?:(?!with|from|of|contain\w*|in|uses?|using)\w+ )*?${it} free\b(?! (?:\w+ )?${packing})`,
      ),
      pattern(String.raw`\b(?:un|non)\w+#|\bnon ${it}|\b\w+less#`),
      pattern(
        String.raw`\b${not} (?:\w+ )?(?:contain|have|include|come with|use)\b ${the}${listed}(?:\w+ )?${it}${whole}`,
      ),
      pattern(`${it} (?:is|are) not (?:included|supplied|provided|part)\\b`),
      pattern(`${it}(?: ,)? (?:is |are |does |do )?not(?: (?:included|supplied|provided))?$`),
      pattern(`${it} (?:(?:is|are) )?sold separately\\b`),
      pattern(`^${it} : (?:none|no)$`),
    ],
    suiting: [
      pattern(
        String.raw`\bnot (?:suitable|safe|recommended|meant|intended|designed|made|advised|compatible|for|to be used)\b(?: ${used})* ${the}${listed}${it}(?: use)?${end}`,
      ),
      pattern(
        String.raw`\b(?:do not|don t|never|cannot be|must not be|should not be) (?:used?|put|worn|wear|placed?)(?: (?:it|them|this))?(?: ${used})* ${the}${listed}${it}${end}`,
      ),
      pattern(String.raw`${start}${not} (?:work|run|go)(?: ${used})* ${the}${listed}${it}${end}`),
      pattern(String.raw`\bunsuitable for ${the}${listed}${it}${end}`),
      pattern(`${it} (?:is|are) not (?:suitable|recommended|safe)\\b`),
      pattern(`\\bnot ${it} (?:safe|proof)${end}`),
    ],
    being: [
      pattern(`${start}${not}(?: an?| be)? ${it}${end}`),
      pattern(`${ofPart} (?:is|are) not ${it}${end}`),
      pattern(`^${it} free${end}`),
    ],
    doing: [
      pattern(String.raw`${start}${not}(?: be)?(?: \w+){0,1}? \w+#(?:(?: \w+){0,4}? \w+#)*${end}`),
    ],
  },
  yes: {
    having: [
      pattern(
        String.raw`(?:\b(?:has|have|contains?|containing|includ(?:es|ing)|comes? with|features?|there (?:is|are))|${doneWith}\bwith) (?:\w+ ){0,3}?${it}${whole}`,
      ),
      pattern(
        String.raw`${it} (?:\w+ ){0,5}?(?:is|are|comes?) (?:included|supplied|provided|with it|in the box)\b`,
      ),
      pattern(`${it} included\\b`),
      pattern(
        String.raw`\b(?:comes?|available|sold|offered) in ${the}${listed}(?:\w+ )?${it}${whole}(?!.*\b${packing}\b)`,
      ),
      // By what a product is connected or charged it has, as what a line of numbers names.
      pattern(
        String.raw`\b(?:connects?|pairs?|charge[sd]?|rechargeable|recharges?)(?: it| them)? (?:by|via|over|through) (?:bluetooth|wifi|usb|nfc)#`,
      ),
      pattern(String.raw`^${it}(?: \d+)+$`),
      pattern(String.raw`^(?:\d+|two|three|five|ten) (?:year|month)s? ${it}(?=$| ,)`),
      pattern(`^(?:ingredients|contents) : .*${it}`),
      pattern(`^${it} : yes\\b`),
    ],
    suiting: [
      pattern(
        String.raw`\b(?:suitable|safe|suits|ideal|perfect|made|meant|designed|gentle enough|recommended|approved|compatible|can be used|used?|works|runs) (?:for|in|on|with|by|as) ${the}${listed}${it}(?: use)?${whole}`,
      ),
      pattern(String.raw`(?:^an? [^,]*? |^)for ${the}${listed}${it}${whole}`),
      pattern(`${it} (?:safe|friendly)\\b`),
      // What is true of every one with it is true of it: "works on all hobs, including induction".
      pattern(
        String.raw`\b(?:suitable|safe|suits|compatible|used?|works|runs)(?: for| in| on| with)? (?:all|every|any) \w+(?: ,)? including ${the}${listed}${it}${whole}`,
      ),
      pattern(`\\bsuits ${the}${it}${whole}`),
    ],
    being: [
      pattern(
        String.raw`(?:^|, )(?:this \w+ is |these \w+ are )?(?:${besides}|(?!${besides})\w+ and )*${it}(?=$| [,:]| (?:and|up|to|at|in|on|so|for|by)\b)`,
      ),
      pattern(`^(?:hand ?)?made (?:of|from|out of|in) ${kind}{0,2}?${it}${end}`),
      pattern(`${ofPart} (?:is|are) (?:(?:fully|completely|also|easily) )?${it}(?=$| ,| and\\b)`),
      pattern(String.raw`^an? (?:\w+ ){0,2}${it} (?!.*\b(?:included|comes?|supplied|with)\b)`),
    ],
    doing: [
      pattern(String.raw`${ofPart} \w+s#${whole}`),
      // What one is told to do can be done: "machine wash# at 30 degrees".
      pattern(String.raw`^(?:\w+# )+(?:at|on)\b`),
      pattern(String.raw`\bcan (?:\w+ly )?be (?:\w+ly )?\w+#(?:(?: \w+){0,4}? \w+#)*${whole}`),
      pattern(String.raw`(?:^|, )(?:\w+# )*\w+able#`),
      pattern(
        String.raw`(?:^|, |\b(?:and|that|which) )(?:(?:it|they|this|these) )?(?:(?:also|easily|always|even) )?\w+s#(?:(?: \w+){0,4}? \w+#)*${whole}`,
      ),
      pattern(String.raw`^(?:it|they) (?:\w+ly )?\w+#(?:(?: \w+){0,4}? \w+#)*${whole}`),
    ],
  },
  negative: [
    /\b(?:no|not|never|without|none|cannot|nothing|neither|nor|unsuitable|avoid)\b|\b\w+n? t\b/,
    // Which denies nothing that is asked about.
    /(?<!\bcruelty )\bfree\b/,
  ],
  limits: `only, except, unless, if, until, may, might, could, sometimes, usually, mostly, some, partly, partially,
    under, over, below, above, younger, older, than, most, but, however, though, although, when, while, before,
    after, instead, provided, depend*, limited, almost, nearly, traces?, against, prevent*, resist*, stops?,
    reduc*, avoid*, protect*, repel*, less, from, keep*, just,
    need, needs, necessary, longer, matter, doubt, either way, at first, again, other, others, similar`,
  degrees: 'very, too, extremely, highly, slightly, heavily',
  otherSubject: [
    /(?:^|, )(?:the|its|their|our|each|every) (?!product\b|formula\b|item\b|pack\b|set\b|box\b|case\b)\w+ (?:is|are|has|have|contains?|does|do|can|cannot|comes?|may|will)\b/,
  ],
  contrasts: 'but, yet, while, whereas, although, though, however',
}
