import { defaultLanguage } from '../texts/languages.ts'

/** Texts come in any language, and sentences end alike in those that we have packs for. */
const segmenter = new Intl.Segmenter(defaultLanguage, { granularity: 'sentence' })

/** The sentences of a text, which together are the whole of it. */
export function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}
