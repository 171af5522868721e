import type { SpokenWords } from '../ai_model.ts'
import type { Breach } from './answer_guard.ts'
import { citationFilter, citedSentences, type Subject } from './cited_text.ts'
import type { ShownSources } from './sources.ts'

interface Following {
  words: SpokenWords
  sources: ShownSources
  subject: Subject
  /** What a text must not hold. */
  breachIn: (text: string) => Breach | undefined
}

/** A sentence is judged together with the end of what stands before it. */
const windowSize = 200

/** Part by which what is not judged yet must grow to be read again: a long sentence is not read for each word. */
const growth = 1 / 16

/**
 * Says the sentences of a growing answer, each as soon as it is complete, cited and checked. Returns
 * the breach of the first that may not leave: everything said so far will be taken back.
 */
export function followAnswer({ words, sources, subject, breachIn }: Following) {
  words.again()
  const filter = citationFilter(sources, subject)
  /** Characters of the response that are judged, and those that it had when it was last read. */
  let judged = 0
  let seen = 0
  let read = ''
  let kept = ''
  let said = ''
  return (partial: unknown): Breach | undefined => {
    const response = responseIn(partial)
    if (response.length - seen <= (seen - judged) * growth) return undefined
    seen = response.length
    const from = judged
    for (const sentence of completeSentences(response.slice(from))) {
      judged = from + sentence.end
      read += sentence.text
      const { text: added } = filter(sentence)
      kept += added
      const breach =
        breachIn(read.slice(-windowSize - sentence.text.length)) ??
        breachIn(kept.slice(-windowSize - Math.max(added.length, sentence.text.length)))
      if (breach) return breach
      // White space waits: at the end of an answer it would be cut off.
      const text = kept.trim()
      words.say(text.slice(said.length))
      said = text
    }
    return undefined
  }
}

function responseIn(partial: unknown): string {
  const response = (partial as { response?: unknown } | undefined)?.response
  return typeof response === 'string' ? response : ''
}

/** All sentences that no further text can change: another one has begun after each of them. */
function completeSentences(response: string) {
  // A mark may be on its way, and belongs to the sentence before it.
  const arrived = response.replace(/[[【][^\]】]{0,200}$/, '')
  const sentences = citedSentences(arrived)
  const next = sentences.findLastIndex(({ text }) => /\p{L}/u.test(text))
  return sentences.slice(0, Math.max(0, next))
}
