import { Marked, type Tokens } from 'marked'

/** A part of a page under a heading, for the search. */
export interface GuideSection {
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly sections: readonly GuideSection[]
}

/** Where links lead on the site; undefined where the site has no such page. */
export interface Links {
  readonly linkOf: (href: string) => string | undefined
  /** The page about what is named as code. */
  readonly pageOf: (code: string) => string | undefined
}

/** Renders a page; links are rewritten by the caller, who knows where pages are. */
export function render(markdown: string, { linkOf, pageOf }: Links): Rendered {
  const marked = new Marked()
  const tokens = marked.lexer(markdown)
  const ids = new Map<unknown, string>()
  const sections: GuideSection[] = []
  for (const token of tokens) {
    if (token.type !== 'heading') {
      const open = sections.at(-1)
      if (open) sections[sections.length - 1] = { ...open, text: `${open.text}\n${token.raw}` }
      continue
    }
    const { text } = token as Tokens.Heading
    const id = anchorOf(text, new Set(ids.values()))
    ids.set(token, id)
    sections.push({ id, heading: plain(text), text: '' })
  }
  let isLinked = false
  marked.use({
    renderer: {
      heading(token) {
        const { depth, tokens: inner } = token
        isLinked = true
        const title = this.parser.parseInline(inner)
        isLinked = false
        return `<h${depth} id="${ids.get(token) ?? ''}">${title}</h${depth}>\n`
      },
      link({ href, tokens: inner }) {
        const target = linkOf(href)
        isLinked = true
        const label = this.parser.parseInline(inner)
        isLinked = false
        return target === undefined ? label : `<a href="${escaped(target)}">${label}</a>`
      },
      codespan({ text }) {
        const target = isLinked ? undefined : pageOf(text)
        const code = `<code>${escaped(text)}</code>`
        return target === undefined ? code : `<a href="${target}">${code}</a>`
      },
      // What scrolls must be reachable by keyboard.
      code({ text, lang }) {
        const language = lang ? ` data-language="${escaped(lang)}"` : ''
        return `<pre tabindex="0"${language}><code>${escaped(text)}</code></pre>\n`
      },
      // The sources have none: what looks like a tag is a placeholder, such as <key>.
      html: ({ text }) => escaped(text),
    },
  })
  const html = marked
    .parser(tokens)
    .replaceAll(
      '<table>',
      '<div class="table" role="group" aria-label="Table" tabindex="0"><table>',
    )
    .replaceAll('</table>', '</table></div>')
  return { html, sections }
}

/** The anchor of a heading, as GitHub makes it, so that links work there, too. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const slug = plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  let id = slug
  for (let count = 1; taken.has(id); count++) id = `${slug}-${count}`
  return id
}

/** Text without its marks. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
}
