import type { RequestHandler, Response } from 'express'
import { stylesheet } from './stylesheet.ts'

/** Markup, as opposed to text, which is escaped where it is put into markup. */
export interface Html {
  readonly markup: string
}

type Part = Html | readonly Html[] | string | undefined

/** Puts values into markup. Whatever is not markup itself stays text, whoever wrote it. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) }
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escaped(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

const entities: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export interface Page {
  title: string
  body: Html
  /** Where the browser goes on by itself. */
  refreshTo?: string
}

/** Nothing but our own stylesheet, and forms that stay here. */
const policy = [
  ...["default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'self'"],
  ...["base-uri 'none'", "frame-ancestors 'none'"],
].join('; ')

const stylesheetPath = '/style/page.css'

/**
 * Sends a page that works without a script. Its referrer policy is not the strictest, under which
 * browsers would send `Origin: null` with the page's own forms.
 */
export function sendPage(response: Response, status: number, page: Page): void {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .set('Content-Security-Policy', policy)
    .set('Referrer-Policy', 'same-origin')
    .type('html')
    .send(documentOf(page).markup)
}

function documentOf({ title, body, refreshTo }: Page): Html {
  const refresh =
    refreshTo === undefined
      ? undefined
      : html`<meta http-equiv="refresh" content="0; url=${refreshTo}" />`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refresh}
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body>
        <main>
          <p class="brand">Vitrine</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
}

/** Every origin with such pages serves their stylesheet itself. */
export const pageStyle: { path: string; handler: RequestHandler } = {
  path: stylesheetPath,
  handler: (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('css').send(stylesheet)
  },
}
