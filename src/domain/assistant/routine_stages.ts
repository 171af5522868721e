import { foldedText } from '../../core/words.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import type { Sector } from './ai_model.ts'
import type { ServiceTexts } from '../../texts/languages.ts'

/** A place in the order of a routine. */
export interface Stage {
  name: keyof ServiceTexts['routineStages']
  /** What the products of this place are called, folded; the first that fits decides. */
  pattern: RegExp
  /** Words to look for such products by. */
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

/** Where a product stands whose words name no place: after treatment, or at the middle. */
const otherwise: Record<Sector, number> = { BEAUTY: 3, TEXTILE: 1, GENERAL: 1 }

export function stagesOf(sector: Sector): readonly Stage[] {
  return stages[sector]
}

/**
 * Where in the order a product belongs, by what it is for: its name says that best, then its tags,
 * then its text. A later place wins, because a sun cream is a cream, too; what soothes after the
 * sun does not protect from it.
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

/** Make-up and protection say what they are; a cream may be any of the others as well. */
const byPrecedence: Record<Sector, readonly number[]> = {
  BEAUTY: [5, 4, 0, 1, 2, 3],
  TEXTILE: [0, 1, 2, 3],
  GENERAL: [0, 2, 3],
}

const areas: Record<Sector, Record<string, RegExp>> = {
  BEAUTY: {
    hair: /\b(?:hair|scalp|shampoo|sac|saclar\w*|saci\w*|sampuan\w*)\b/,
    hand: /\b(?:hands?|el|eller\w*|nails?|tirnak\w*)\b/,
    lip: /\b(?:lips?|lipsticks?|dudak\w*|dudag\w*|ruj\w*)\b/,
    body: /\b(?:body|shower|vucut\w*|vucud\w*|dus|sabunu?)\b/,
  },
  TEXTILE: {},
  GENERAL: {},
}

/** The part of the body that a text speaks of first of all; a face, unless it says otherwise. */
export function areaOf(text: string, sector: Sector): string {
  const folded = foldedText(text)
  const found = Object.entries(areas[sector]).find(([, pattern]) => pattern.test(folded))
  return found?.[0] ?? 'face'
}

/** Several products in a box are no step of a routine. */
export function isSet({ name }: PublishedProduct): boolean {
  return /\b(?:set|seti|kit|kutusu|box)\b/.test(foldedText(name))
}
