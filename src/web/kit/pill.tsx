import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'quiet' | 'warn' | 'bad' | 'info'

/** A state in a word; the colour only repeats what the word says. */
export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>
}
