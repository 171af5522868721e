import { foldedText } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/catalogue_search.ts'
import type { Sector } from '../ai_model.ts'
import type { ServiceTexts } from '../../../texts/languages.ts'

/** A stage of a routine. */
export interface Stage {
  name: keyof ServiceTexts['routineStages']
  /** Folded names of the products of this stage; the first match decides. */
  pattern: RegExp
  /** Search words for such products. */
  words: string
}

/** In the order of use. */
const stages: Record<Sector, readonly Stage[]> = {
  BEAUTY: [
    {
      name: 'cleanse',
      pattern: /\b(?:cleans|wash|temizle|sabun|soap|sampuan|shampoo|dus jeli|shower|peeling|scrub)/,
      words: 'cleanser temizleme sabun şampuan',
    },
    {
      name: 'tone',
      pattern: /\b(?:toner|tonic|tonik|tonig)/,
      words: 'toner tonik',
    },
    {
      name: 'treat',
      pattern: /\b(?:serum|mask|treatment|ampul|ampoule|essence)(?!ara)/,
      words: 'serum maske',
    },
    {
      name: 'moisturise',
      pattern: /\b(?:cream|krem|moistur|nemlendir|lotion|losyon|balm|balmumu|gel\b|jel|oil\b|yag)/,
      words: 'moisturiser krem losyon',
    },
    {
      name: 'protect',
      pattern:
        /\b(?:spf|sunscreen|sun (?:cream|care|protection)|gunes (?:kremi|sprey|koru|sutu|losyonu))/,
      words: 'sunscreen spf',
    },
    {
      name: 'finish',
      pattern: /\b(?:lipstick|ruj|maskara|mascara|pudra|powder|allik|blush|fondoten|foundation)/,
      words: 'makeup makyaj',
    },
  ],
  TEXTILE: [
    {
      name: 'base',
      pattern: /\b(?:underwear|ic giyim|undershirt|atlet|sock|corap|fitted sheet|carsaf)/,
      words: 'underwear çarşaf',
    },
    {
      name: 'wear',
      pattern: /\b(?:shirt|gomlek|trouser|pants|pantolon|dress|elbise|skirt|etek|sweater|kazak)/,
      words: 'shirt pantolon elbise',
    },
    {
      name: 'layer',
      pattern: /\b(?:jacket|ceket|coat|mont|kaban|cardigan|hirka|blanket|battaniye)/,
      words: 'jacket ceket mont',
    },
    {
      name: 'care',
      pattern: /\b(?:detergent|deterjan|care|bakim|brush|firca)/,
      words: 'care bakım',
    },
  ],
  GENERAL: [
    {
      name: 'prepare',
      pattern: /\b(?:clean|temizle|wash|yika|prepar|hazirl|primer|astar)/,
      words: 'clean temizleme hazırlık',
    },
    {
      name: 'use',
      pattern: /(?!)/,
      words: '',
    },
    {
      name: 'care',
      pattern: /\b(?:care|bakim|polish|cila|oil\b|yag|conditioner)/,
      words: 'care bakım',
    },
    {
      name: 'protect',
      pattern: /\b(?:protect|koru|cover|kilif|storage|saklama|seal)/,
      words: 'protect koruma kılıf',
    },
  ],
}

/** The stage of a product that matches none: after treatment, or in the middle. */
const otherwise: Record<Sector, number> = { BEAUTY: 3, TEXTILE: 1, GENERAL: 1 }

export function stagesOf(sector: Sector): readonly Stage[] {
  return stages[sector]
}

/**
 * The stage of a product, by its name first, then its tags, then its text. The later stage wins,
 * because a sun cream is also a cream; but after-sun care is not sun protection.
 */
export function stageOf(product: PublishedProduct, sector: Sector): number {
  const { name, tags, description, information } = product
  for (const text of [name, tags.join('. '), description, information]) {
    const folded = foldedText(text).replace(/gunes sonrasi|after[ -]?sun/g, '')
    for (const index of byPrecedence[sector])
      if (stages[sector][index]?.pattern.test(folded)) return index
  }
  return otherwise[sector]
}

/** Make-up and protection are unambiguous; a cream may belong to any other stage. */
const byPrecedence: Record<Sector, readonly number[]> = {
  BEAUTY: [5, 4, 0, 1, 2, 3],
  TEXTILE: [0, 1, 2, 3],
  GENERAL: [0, 2, 3],
}

const areas: Record<Sector, Record<string, RegExp>> = {
  BEAUTY: {
    hair: /\b(?:hair|scalp|shampoo|conditioner|sac|saclar\w*|saci\w*|sampuan\w*)\b/,
    hand: /\b(?:hands?|el|eller\w*|nails?|tirnak\w*)\b/,
    lip: /\b(?:lips?|lipsticks?|dudak\w*|dudag\w*|ruj\w*)\b/,
    body: /\b(?:body|shower|vucut\w*|vucud\w*|dus|sabunu?|deodorants?|roll-on)\b/,
  },
  TEXTILE: {},
  GENERAL: {},
}

/** The body area a product is for: by its name first, then its tags. */
export function areaOfProduct(product: PublishedProduct, sector: Sector): string {
  const { name, tags } = product
  for (const text of [name, tags.join('. ')]) {
    const area = areaOf(text, sector)
    if (area !== 'face') return area
  }
  return 'face'
}

/** The first body area a text mentions; by default the face. */
export function areaOf(text: string, sector: Sector): string {
  const folded = foldedText(text)
  const match = Object.entries(areas[sector]).find(([, pattern]) => pattern.test(folded))
  return match?.[0] ?? 'face'
}

/** A set of several products is not a step of a routine. */
export function isSet({ name }: PublishedProduct): boolean {
  return /\b(?:set|seti|kit|kutusu|box)\b/.test(foldedText(name))
}
