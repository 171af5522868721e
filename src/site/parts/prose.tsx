import { beginningOf as charactersOf } from '../../core/text.ts'
import type { Drawable } from '../jsx_runtime.ts'

/** A plain text as paragraphs; an empty line divides them. */
export function Prose({ text }: { text: string }): Drawable {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => <p>{linesOf(part)}</p>)
}

function linesOf(text: string): Drawable {
  return text.split('\n').map((line, index) => [index > 0 && <br />, line])
}

/** A line such as "Material: wool", with a short label. */
const labelled = /^([^:\n]{1,60}):\s+(\S.*)$/

/**
 * Details of a product, in the order of their lines: those with a label become pairs, all others paragraphs. A line
 * without a label ends a list, so that the heading of a table stays above it.
 */
export function Details({ text }: { text: string }): Drawable {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.filter((line) => labelled.test(line)).length < 2) return <Prose text={text} />
  const parts: (string | Pair[])[] = []
  for (const line of lines) {
    const [, label, value] = labelled.exec(line) ?? []
    const last = parts.at(-1)
    if (label === undefined || value === undefined) parts.push(line)
    else if (Array.isArray(last)) last.push({ label, value })
    else parts.push([{ label, value }])
  }
  return parts.map((part) => (Array.isArray(part) ? <Pairs pairs={part} /> : <p>{part}</p>))
}

interface Pair {
  label: string
  value: string
}

function Pairs({ pairs }: { pairs: Pair[] }): Drawable {
  return (
    <dl>
      {pairs.map(({ label, value }) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Characters that a search engine shows of what a page says of itself. */
const summaryLength = 160

/** What a page says of itself: the first of these texts that there is, in short. */
export function summaryOf(...texts: [string, ...string[]]): string {
  return beginningOf(texts.find((text) => text.trim() !== '') ?? '', summaryLength)
}

/** The beginning of a text, cut between words, or between characters where it has no spaces. */
export function beginningOf(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= length) return flat
  const cut = flat.slice(0, length - 1)
  return `${charactersOf(cut, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`
}
