import type { SpokenWords } from '../../domain/assistant/ai_model.ts'

/** Receives the events of a stream, in order. */
export type Listener = (event: 'words' | 'again', data: object) => void

/** The words of an answer while it is being made, for all clients that wait for them. */
export interface Broadcast extends SpokenWords {
  /** Sends what was said so far and everything that follows. */
  follow(listener: Listener): void
}

/** A call in progress. Its caller may lose the connection and come back to it. */
export interface RunningCall {
  broadcast: Broadcast
  /** The hash of its input: the same key with another input is another call. */
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
