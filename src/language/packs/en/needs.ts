import type { NeedWords } from '../../need_words.ts'

const colour =
  'red|blue|green|yellow|white|black|grey|gray|pink|brown|beige|purple|orange|navy|rose|sage|mauve'

export const needs: NeedWords = {
  bearers: {
    skin: {
      nouns: 'skins?, complexions?, face, faces, t-zone, hands, lips, feet, heels, elbows',
      types: {
        dry_skin: 'dry, drier, parched, dehydrated',
        oily_skin: 'oily, oilier, greasy',
        combination_skin: 'combination, mixed',
        normal_skin: 'normal',
        sensitive_skin: 'sensitive, reactive',
      },
      alone: { dry_skin: 'dryness', oily_skin: 'oiliness, sebum, excess (?:oil|shine)' },
      every: [
        /\b(?:every|all|any) (?:skin(?!(?: |-)?(?:ton|colou?r|shade))|(?:kinds?|types?) of skin)/,
      ],
    },
    hair: {
      nouns: 'hair, haired, scalps?, strands, ends, roots, lengths, tresses',
      types: {
        dry_hair: 'dry, drier, parched, dehydrated',
        oily_hair: 'oily, oilier, greasy',
        normal_hair: 'normal',
        fine_hair: 'fine, thin, limp',
        thick_hair: 'thick, coarse',
        curly_hair: 'curly, wavy, coily, kinky',
        straight_hair: 'straight',
      },
      alone: { curly_hair: 'curls' },
      every: [/\b(?:every|all|any) (?:hair\b(?! ?loss)|(?:kinds?|types?) of hair)/],
    },
  },
  plain: {
    spring: {
      names: 'spring (?:coat|jacket|dress|collection)s?',
      says: 'for (?:\\w+ )?spring, spring (?:days|wear|weather)',
      asks: 'for (?:the )?spring, this spring, in (?:the )?spring, springtime',
    },
    summer: {
      names: 'summer',
      says: `for (?:\\w+ )?summers?, summer (?:days?|nights?|evenings?|months|wear|weather|holidays?), summer \\w+`,
      asks: 'summer, summertime',
    },
    autumn: {
      names: 'autumn',
      says: 'for (?:\\w+ )?autumn, autumn (?:days?|nights?|evenings?|months|wear|weather)',
      asks: 'autumn',
    },
    winter: {
      names: 'winter',
      says: `for (?:\\w+ )?winters?, (?:on|during) (?:\\w+ )?winter \\w+, winter (?:days?|months|wear|weather|coat|jacket)`,
      asks: 'winter, wintertime',
    },
    indoors: {
      names: 'indoors?',
      says: 'for (?:\\w+ )?indoors?, for use indoors, indoor (?:use|areas?|rooms?|plants?)',
      asks: 'indoors?',
    },
    outdoors: {
      names: 'outdoors?',
      says: 'for (?:\\w+ )?outdoors?, for use outdoors, outdoor (?:use|areas?|spaces?)',
      asks: 'outdoors?',
    },
    men: {
      names: "men, mens, men['’]s, gentlemen",
      says: "for (?:\\w+ )?(?:men|gentlemen), men['’]s",
      asks: "men, men['’]s, for (?:my |a )?(?:man|husband|boyfriend|dad|father|brother|son|him)",
    },
    women: {
      names: "women, womens, women['’]s, ladies",
      says: "for (?:\\w+ )?(?:women|ladies), women['’]s",
      asks: "women, women['’]s, ladies, for (?:my |a )?(?:woman|wife|girlfriend|mum|mom|mother|sister|daughter|her)",
    },
  },
  every: {
    season: [/\b(?:all|every|four)[ -](?:\w+ )?seasons?\b/, /\ball year(?: round)?\b/],
    place: [
      /\bindoors? (?:and|or) out(?:doors?|side)?\b/,
      /\boutdoors? (?:and|or) in(?:doors?|side)?\b/,
    ],
    person: [/\bunisex\b/, /\b(?:for|suits) everyone\b/, /\b(?:wo)?men and (?:wo)?men\b/],
  },
  joins: 'and, or, to',
  very: 'very, extremely, really, quite',
  between: 'facial, baby, mature, human',
  is: 'type, types, very, quite, rather, a bit, so, too, really, often',
  verbs: 'is, are, gets, feels, looks, tends to be, has become, becomes',
  except: { before: 'except, excluding, other than, apart from, but not' },
  denied: { before: "not, not for, n't, never, no longer" },
  unsuited: [
    /\b(?:not|\w+n't|never) (?:really |quite |always |a good choice |the right \w+ )?(?:for|suit\w*|meant|intended|made|ideal|suitable|recommended|advised|designed|formulated|right)\b/,
    /\b(?:unsuitable|unsuited|ill-suited|less suitable)\b/,
    /\btoo \w+ (?:for|on|in)\b/,
    /\bnot \w+ enough\b/,
  ],
  praise: [
    /\b(?:not|n't) (?:only|just|merely|solely)\b/,
    /\bhelps? (?:to |you )?avoid\b/,
    /\b(?:never|not|\w+n't) (?:leave|dry|dries|strip|irritate|clog|feel|weigh|make|over-?dr)\w*/,
  ],
  applied: [
    /\b(?:appl(?:y|ied)|spray|massage|smooth|rub|spread|pat|brush|sprinkle|work|worn|use) (?:.* )?(?:on|onto|to|in|into|over|through) (?:[^ ]+ ){0,3}</,
    /\b(?:clean|cleansed|damp|wet)(?:,| and| or| but)* </,
  ],
  colours: [
    new RegExp(`\\b(?:midnight|winter|night|autumn|spring|dusty|dry|sun|sand) (?:${colour})\\b`),
    new RegExp(`\\b(?:${colour}) night\\b`),
  ],
}
