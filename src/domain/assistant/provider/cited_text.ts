import { sentencesOf } from '../../../language/sentences.ts'
import { anyWord } from '../../../language/patterns.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Citation } from '../ai_model.ts'
import { termsOf } from '../understanding/questions.ts'
import { isSaidBy, restsOn } from './grounding.ts'
import type { ShownSources } from './sources.ts'

/** A sentence of an answer and the marks it cites. */
export interface CitedSentence {
  text: string
  marks: string[]
  /** Characters of the answer up to its end, marks included. */
  end: number
}

const one = '(?:[sp]\\d{1,4}|shop|owner)'
/** One or more marks in brackets: [s3], [s3, p1] or 【s3】. */
const markPattern = `\\s{0,3}[[【]\\s?${one}(?:\\s?[,;]\\s?${one}){0,20}\\s?[\\]】]`
const marksPattern = new RegExp(markPattern, 'gi')
/** Marks behind the end of their sentence, where models put them as often as before it. */
const lateMarks = new RegExp(`([.!?…]{1,5}["'”’»)]{0,3})((?:${markPattern})+)`, 'gi')

/** A text as a visitor would read it. */
export function withoutMarks(text: string): string {
  return text.replace(marksPattern, '')
}

/** The sentences of an answer, without their marks; together they are the whole text. */
export function citedSentences(text: string): CitedSentence[] {
  const early = text.replace(lateMarks, '$2$1')
  const marks: { at: number; names: string[]; removed: number }[] = []
  let plain = ''
  let from = 0
  for (const match of early.matchAll(marksPattern)) {
    plain += early.slice(from, match.index)
    from = match.index + match[0].length
    const names = match[0].toLowerCase().match(/[a-z]+\d*/g) ?? []
    marks.push({ at: plain.length, names, removed: from - plain.length })
  }
  plain += early.slice(from)
  return linesOf(plain).map(({ text: sentence, start, end }) => ({
    text: sentence,
    marks: marks.filter(({ at }) => at > start && at <= end).flatMap(({ names }) => names),
    end: end + (marks.findLast(({ at }) => at <= end)?.removed ?? 0),
  }))
}

/** Sentences with their places; a line break ends one, too. */
function linesOf(plain: string): { text: string; start: number; end: number }[] {
  const sentences: { text: string; start: number; end: number }[] = []
  let at = 0
  for (const line of plain.match(/[^\n]*\n|[^\n]+$/g) ?? [])
    for (const segment of sentencesOf(line)) {
      sentences.push({ text: segment, start: at, end: at + segment.length })
      at += segment.length
    }
  return sentences
}

/** What an answer is about, and what it was asked. */
export interface Subject {
  /** The product that a text speaks of at first; undefined: any. */
  productId?: string | undefined
  question?: string
}

/** What is kept of a sentence, empty if nothing is, and what it rests on. */
interface Kept {
  text: string
  citations: Citation[]
}

/**
 * Decides, sentence by sentence, what of an answer is kept: only what cites something the model
 * was shown and that says so, and no sentence that cites a product while it speaks of another. A
 * sentence without a mark is kept where the shown text says all of it; a bare "Yes." with the next one.
 */
export function citationFilter(
  sources: ShownSources,
  { productId: subject, question = '' }: Subject,
) {
  /** The products that the text speaks of at this point; undefined: any. */
  let about = subject === undefined ? undefined : new Set([subject])
  /** A bare yes or no that waits for what it rests on. */
  let waiting = ''

  function marksFor({ text, marks }: CitedSentence): string[] {
    const named = sources.products().filter((product) => isNamed(product, text))
    if (about && named.length > 0) about = new Set(named.map(({ id }) => id))
    const known = marks.filter((mark) => {
      if (!sources.isKnown(mark)) return false
      const productId = sources.productOf(mark)
      // What the shop says of itself proves nothing about a product.
      if (productId === undefined) return named.length === 0
      return !about || about.has(productId)
    })
    if (marks.length === 0)
      return sources
        .sentencesOf(about)
        .filter((mark) => isSaidBy(text, sources.textOf(mark)!))
        .slice(0, 1)
    const cited = known.map((mark) => sources.textOf(mark))
    // What the shop says of itself is not shown in sentences that could be compared.
    if (cited.includes(undefined)) return known
    const names = named.map(({ name }) => name)
    return restsOn(text, [...cited, ...names].join(' '), question) ? known : []
  }

  return (sentence: CitedSentence): Kept => {
    const marks = marksFor(sentence)
    if (marks.length === 0) {
      waiting = sentence.marks.length === 0 && isBare(sentence.text) ? sentence.text : ''
      return { text: '', citations: [] }
    }
    const text = waiting + sentence.text
    waiting = ''
    return { text, citations: marks.flatMap((mark) => sources.citationOf(mark) ?? []) }
  }
}

const yesOrNo = anyWord(({ questions }) => questions.yesOrNo)

/** Whether a sentence says yes or no and nothing else. */
function isBare(text: string): boolean {
  return termsOf(text).length === 0 && yesOrNo.test(foldedText(text))
}

/** Whether a text names a product, by its name or the first half of it: endings are often left out. */
function isNamed({ name }: PublishedProduct, text: string): boolean {
  const words = wordsOf(name)
  const leading = words.slice(0, Math.max(2, Math.ceil(words.length / 2))).join(' ')
  return leading !== '' && ` ${wordsOf(text).join(' ')}`.includes(` ${leading}`)
}

/** The kept part of an answer, and the sentences it rests on, each once. */
export function keptText(text: string, sources: ShownSources, subject: Subject = {}): Kept {
  const filter = citationFilter(sources, subject)
  const citations = new Set<Citation>()
  const kept = citedSentences(text).map((sentence) => {
    const verdict = filter(sentence)
    for (const citation of verdict.citations) citations.add(citation)
    return verdict.text
  })
  return { text: kept.join('').trim(), citations: [...citations] }
}
