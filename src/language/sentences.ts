import { defaultLanguage } from '../texts/languages.ts'

/** Texts come in any language, and sentences end alike in those that we have packs for. */
const segmenter = new Intl.Segmenter(defaultLanguage, { granularity: 'sentence' })

/** Lines with what ends each, which also ends a sentence. */
const lines =
  /[^\r\n\u0085\u2028\u2029]*(?:\r\n|[\r\n\u0085\u2028\u2029])|[^\r\n\u0085\u2028\u2029]+$/g

/**
 * The sentences of a text, which together are the whole of it. Line by line, because the segmenter takes the
 * square of the number of empty lines.
 */
export function* sentencesOf(text: string): Generator<string> {
  for (const [line] of text.matchAll(lines))
    if (line.length === 1 || line === '\r\n') yield line
    else yield* segmentsOf(line)
}

function* segmentsOf(line: string): Generator<string> {
  for (const { segment } of segmenter.segment(line)) yield segment
}
