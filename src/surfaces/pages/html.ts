import type { RequestHandler, Response } from 'express'
import { pageFiles } from '../../adapters/page_files.ts'
import type { Language } from '../../texts/languages.ts'

/** Markup. Plain text is escaped when it is inserted into markup. */
export interface Html {
  readonly markup: string
}

type Part = Html | readonly Html[] | string | undefined

/** Builds markup. Every part that is not markup is escaped, regardless of its source. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) }
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export interface HtmlPage {
  language: Language
  title: string
  body: Html
  /** Target of an automatic redirect. */
  refreshTo?: string
}

/** Only our own stylesheet, and forms that stay on this site. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const stylesheetPath = '/style/page.css'

/**
 * Sends a page that works without scripts. Not the strictest referrer policy: with that, browsers
 * would send `Origin: null` with the page's own forms.
 */
export function sendPage(response: Response, status: number, page: HtmlPage): void {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .set('Content-Security-Policy', policy)
    .set('Cross-Origin-Embedder-Policy', 'require-corp')
    .set('Referrer-Policy', 'same-origin')
    .vary('Accept-Language')
    .type('html')
    .send(documentOf(page).markup)
}

function documentOf({ language, title, body, refreshTo }: HtmlPage): Html {
  const refresh =
    refreshTo === undefined
      ? undefined
      : html`<meta http-equiv="refresh" content="0; url=${refreshTo}" />`
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refresh}
        <title>${title} · Vitrine</title>
        <link rel="icon" href="${pageIcon.path}" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body>
        <main>
          <p class="brand"><img class="mark" src="${pageIcon.path}" alt="" />Vitrine</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
}

interface PagePart {
  path: string
  handler: RequestHandler
}

/** Every origin with such pages serves their stylesheet, which is built with the dashboard's. */
export const pageStyle: PagePart = {
  path: stylesheetPath,
  handler: (_request, response) => {
    const { entries, files } = pageFiles()
    const [path = ''] = entries.plain.styles
    // Always revalidated, with 304 if unchanged: a page never gets another version's styles.
    response.set('Cache-Control', 'no-cache').type('css').send(files.get(path)?.bodies.identity)
  },
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="9" fill="#1f5f4a"/>
  <path d="M9 10l7 13 7-13" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`

export const pageIcon: PagePart = {
  path: '/icon.svg',
  handler: (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('svg').send(icon)
  },
}
