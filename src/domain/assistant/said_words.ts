import { sentencesOf } from '../../language/sentences.ts'
import type { SpokenWords } from './ai_model.ts'

/** Words that know what was said, so that in the end exactly the response has been. */
export interface SaidWords extends SpokenWords {
  /** Says what is missing; takes back what differs. */
  complete: (response: string) => void
}

export function saidWords(words: SpokenWords): SaidWords {
  let said = ''

  function say(text: string): void {
    if (text === '') return
    said += text
    words.say(text)
  }

  function again(): void {
    if (said === '') return
    said = ''
    words.again()
  }

  return {
    say,
    again,
    complete(response) {
      if (!response.startsWith(said)) again()
      for (const sentence of sentencesOf(response.slice(said.length))) say(sentence)
    },
  }
}
