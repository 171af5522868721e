import type { Area, LanguagePack } from '../../../language/pack.ts'
import { packs } from '../../../language/packs.ts'
import { anyWord, wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { ServiceTexts } from '../../../texts/languages.ts'
import type { Sector } from '../ai_model.ts'
import { sentencesOfProduct } from '../finding/sentences.ts'

/** A stage of a routine. */
export interface Stage {
  name: keyof ServiceTexts['routineStages']
  /** Folded names of the products of this stage; the first match decides. */
  pattern: RegExp
  /** Search words for such products. */
  words: string
}

type Stages = LanguagePack['routines']['stages']

/** The stages of a sector that the packs have words for. */
function stagesWith<Of extends Sector>(
  sector: Of,
  names: readonly (keyof Stages[Of] & Stage['name'])[],
): Stage[] {
  const wordsOfStage = (pack: LanguagePack, name: keyof Stages[Of]) =>
    pack.routines.stages[sector][name] as { names: string; search: string }
  return names.map((name) => ({
    name,
    pattern: new RegExp(`\\b(?:${wordSource((pack) => wordsOfStage(pack, name).names)})`),
    words: packs.map((pack) => wordsOfStage(pack, name).search).join(' '),
  }))
}

const [prepare, ...afterwards] = stagesWith('GENERAL', ['prepare', 'care', 'protect'])

/** In the order of use. */
const stages: Record<Sector, readonly Stage[]> = {
  BEAUTY: stagesWith('BEAUTY', ['cleanse', 'tone', 'treat', 'moisturise', 'protect', 'finish']),
  TEXTILE: stagesWith('TEXTILE', ['base', 'wear', 'layer', 'care']),
  // What has no words of its own is what is used.
  GENERAL: [prepare!, { name: 'use', pattern: /(?!)/, words: '' }, ...afterwards],
}

/** The stage of a product that matches none: after treatment, or in the middle. */
const otherwise: Record<Sector, number> = { BEAUTY: 3, TEXTILE: 1, GENERAL: 1 }

export function stagesOf(sector: Sector): readonly Stage[] {
  return stages[sector]
}

const afterSun = new RegExp(
  wordSource(({ routines }) => routines.afterSun),
  'g',
)

/** The stage of a product; one that says nothing of it is used in the middle. */
export function stageOf(product: PublishedProduct, sector: Sector): number {
  return knownStageOf(product, sector) ?? otherwise[sector]
}

/**
 * The stage of a product, by its name first, then its tags, then the sentence that says what it is; nothing
 * that its text only mentions counts: a lipstick may have to come off with a cleanser. The later stage
 * wins, because a sun cream is also a cream; but after-sun care is not sun protection.
 */
export function knownStageOf(product: PublishedProduct, sector: Sector): number | undefined {
  const { name, tags } = product
  const what = sentencesOfProduct(product)[0]?.text ?? ''
  for (const text of [name, tags.join('. '), what]) {
    const folded = foldedText(text).replace(afterSun, '')
    for (const index of byPrecedence[sector])
      if (stages[sector][index]?.pattern.test(folded)) return index
  }
  return undefined
}

/** Make-up and protection are unambiguous; a cream may belong to any other stage. */
const byPrecedence: Record<Sector, readonly number[]> = {
  BEAUTY: [5, 4, 0, 1, 2, 3],
  TEXTILE: [0, 1, 2, 3],
  GENERAL: [0, 2, 3],
}

const areas = (['hair', 'hand', 'lip', 'body'] as const).map((area): [Area, RegExp] => [
  area,
  anyWord(({ routines }) => routines.areas[area]),
])

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
  if (sector !== 'BEAUTY') return 'face'
  const folded = foldedText(text)
  return areas.find(([, pattern]) => pattern.test(folded))?.[0] ?? 'face'
}

const sets = anyWord(({ routines }) => routines.sets)

/** A set of several products is not a step of a routine. */
export function isSet({ name }: PublishedProduct): boolean {
  return sets.test(foldedText(name))
}
