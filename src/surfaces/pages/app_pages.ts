import type { Request, Router } from 'express'
import { type PageEntry, type PageFiles, pageFiles } from '../../adapters/page_files.ts'
import { languageOf } from '../../core/languages.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import { html, type Html, pageIcon } from './html.ts'
import { serveGet } from './pages.ts'

/** The script-rendered pages of one origin. */
export interface AppPages {
  entry: PageEntry
  title: string
  /** The paths that the script has pages for. */
  paths: string[]
  /** The API's origin, which serves pictures and a new key's first call. */
  baseUrl: string
  /** The address of a shop's pages, with `*` for its name; undefined if shops have none. */
  shopAddress?: string | undefined
  /** Whether it frames drafts of shops. */
  hasPreviews?: boolean
  /** What the script asks for first if somebody may be signed in. */
  firstCalls: string[]
  /** Whether the browser has a session; without one, the page skips a futile request. */
  hasSession: (request: Request) => boolean
}

/**
 * Serves one document for all pages of an origin, and the files it loads. Files are named by their
 * content and cached forever; the document is never cached.
 */
export function serveAppPages(router: Router, app: AppPages): void {
  const policy = policyFor(app)
  for (const path of app.paths)
    serveGet(router, path, (request, response) => {
      const pages = pageFiles()
      response
        .set('Cache-Control', 'no-store')
        .set('Content-Security-Policy', pages.policyFor?.(app.baseUrl) ?? policy)
        .set('Cross-Origin-Embedder-Policy', 'require-corp')
        .set('Referrer-Policy', 'same-origin')
        .vary('Accept-Language')
        .type('html')
        .send(documentOf(app, pages, { request, hasSession: app.hasSession(request) }).markup)
    })
  serveGet(router, pageIcon.path, pageIcon.handler)
  serveGet(router, '/assets/:name', (request, response, next) => {
    const file = pageFiles().files.get(request.path)
    if (!file) return next('router')
    const encoding = request.acceptsEncodings(Object.keys(file.bodies)) || 'identity'
    const body = file.bodies[encoding as keyof typeof file.bodies]
    if (encoding !== 'identity') response.set('Content-Encoding', encoding)
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      .set('Vary', 'Accept-Encoding')
      .set('Content-Type', file.type)
      .send(body)
  })
}

/** Only our own files: no inline script or style, no other site. */
function policyFor({ baseUrl, shopAddress, hasPreviews }: AppPages): string {
  // Shop previews are shown in frames, to which drafts are posted.
  const shops = shopAddress === undefined || !hasPreviews ? '' : ` ${shopAddress}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `connect-src 'self' ${baseUrl}`,
    `img-src 'self' ${baseUrl} blob: data:`,
    "base-uri 'none'",
    `form-action 'self'${shops}`,
    `frame-src${shops || " 'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

function documentOf(
  { entry, title, baseUrl, shopAddress, firstCalls }: AppPages,
  { entries, home, texts }: PageFiles,
  { request, hasSession }: { request: Request; hasSession: boolean },
): Html {
  const language = languageOf(request.headers['accept-language'])
  const { scripts, styles } = entries[entry]
  const [main = '', ...imported] = scripts
  // All of it is needed at once; without this, the script would only find out when it runs.
  const early = [...imported, ...(texts?.[language] ? [texts[language]] : [])]
  if (hasSession && request.path.endsWith('/home')) early.push(...(home ?? []))
  const calls = hasSession ? firstCalls : []
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="vitrine-api" content="${baseUrl}" />
        ${shopAddress ? html`<meta name="vitrine-shops" content="${shopAddress}" />` : undefined}
        ${hasSession ? html`<meta name="vitrine-session" content="given" />` : undefined}
        <title>${title}</title>
        <link rel="icon" href="${pageIcon.path}" type="image/svg+xml" />
        ${styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        <script type="module" src="${main}"></script>
        ${early.map((path) => html`<link rel="modulepreload" href="${path}" />`)}
        ${calls.map((path) => html`<link rel="preload" as="fetch" href="${path}" crossorigin />`)}
      </head>
      <body>
        <div id="app"></div>
        <noscript>${withoutScript(language, title)}</noscript>
      </body>
    </html> `
}

function withoutScript(language: Language, title: string): Html {
  const t = serviceTexts[language].appPage
  return html`<main class="front">
    <div class="front-card">
      <p class="brand"><img class="mark" src="${pageIcon.path}" alt="" />${title}</p>
      <h1>${t.needsScript}</h1>
      <p class="muted">${t.needsScriptHint}</p>
    </div>
  </main>`
}
