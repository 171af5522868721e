import type { SpokenWords } from '../../domain/assistant/ai_model.ts'

/** Takes the events of a stream, in order. */
export type Listener = (event: 'words' | 'again', data: object) => void

/** An answer's words on their way to everyone who waits for them. */
export interface Broadcast extends SpokenWords {
  /** Sends what was said so far and everything that follows. */
  follow(listener: Listener): void
}

/** A call in progress. Its caller may lose the connection and come back to it. */
export interface RunningCall {
  broadcast: Broadcast
  /** Of its input: another one is another call. */
  bodyHash: Buffer
  output: Promise<unknown>
}

export function createBroadcast(): Broadcast {
  const listeners = new Set<Listener>()
  let said = ''
  return {
    say(text) {
      said += text
      for (const listener of listeners) listener('words', { text })
    },
    again() {
      if (said === '') return
      said = ''
      for (const listener of listeners) listener('again', {})
    },
    follow(listener) {
      listeners.add(listener)
      if (said !== '') listener('words', { text: said })
    },
  }
}
