import type { OpenApiDocument } from '../document.ts'
import { itemsOf } from '../postman/collection.ts'
import { linkTo, type Page } from './page.ts'
import { refusalsOf } from './reference.ts'

interface ErrorCode {
  readonly code: string
  readonly status: string
  readonly meaning: string
}

/**
 * A page with all codes, and one for each: what the contract says of it, what to do, and which operations
 * answer it. The advice is in the source, a heading for each code; a code without a heading has none.
 */
export function errorPages(document: OpenApiDocument, source: string): Page[] {
  const [intro = '', ...sections] = source.split(/^## /m)
  const advice = new Map(
    sections.map((section): [string, string] => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading.trim(), lines.join('\n').trim()]
    }),
  )
  const known = codesOf(document)
  const general = [...advice].filter(([heading]) => !known.some(({ code }) => code === heading))
  const parts = known.map(
    ({ code, status, meaning }) =>
      `## ${code}\n\n${status}. ${meaning} ${linkTo('What to do', `errors/${code}`)}.`,
  )
  const others = general.map(([heading, text]) => `## ${heading}\n\n${text}`)
  const answered = answeredBy(document)
  return [
    {
      name: 'errors',
      title: 'Errors',
      markdown: `${[intro.trim(), ...others, ...parts].join('\n\n')}\n`,
    },
    ...known.map(({ code, status, meaning }): Page => {
      const lines = [`# ${code}`, `**${status}.** ${meaning}`, advice.get(code) ?? '']
      const links = answered.get(code) ?? []
      if (links.length > 0) lines.push('## Answered by', links.join(', '))
      const markdown = `${lines.filter((line) => line !== '').join('\n\n')}\n`
      return { name: `errors/${code}`, title: code, group: 'Error codes', markdown }
    }),
  ]
}

/** The codes in the order of the contract, with their status and sentence. */
function codesOf({ components = {} }: OpenApiDocument): ErrorCode[] {
  const { ErrorCode } = (components['schemas'] ?? {}) as Record<string, { description?: string }>
  const lines = (ErrorCode?.description ?? '').matchAll(/^- `(\w+)` \((\d{3})\): (.+)$/gm)
  return [...lines].map(([, code = '', status = '', meaning = '']) => ({ code, status, meaning }))
}

/** Links to the operations that answer each code. */
function answeredBy(document: OpenApiDocument): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { call } of itemsOf(document))
    for (const { codes } of refusalsOf(document, call))
      for (const code of codes) {
        const links = found.get(code) ?? []
        links.push(linkTo(`\`${call.id}\``, `operations/${call.id}`))
        found.set(code, links)
      }
  return found
}
