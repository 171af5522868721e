import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'quiet' | 'warn' | 'bad' | 'info'

/** A status label; the colour only repeats the text. */
export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>
}
