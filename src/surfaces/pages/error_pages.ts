import type { Response } from 'express'
import type { ApiError } from '../../core/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { html, type Html, ownWords, type HtmlPage, sendPage } from './html.ts'
import { languageOf, type PageLanguage, type PageText, say } from './page_texts.ts'

const texts = {
  gone: ['Nothing is here', 'Burada bir şey yok'],
  goneHint: [
    'The address is wrong, or what it showed no longer exists.',
    'Adres yanlış ya da gösterdiği şey artık yok.',
  ],
  refused: ['This cannot be done', 'Bu yapılamaz'],
  away: ['We cannot be reached at the moment', 'Şu anda ulaşılamıyoruz'],
  awayHint: [
    'The service is starting, very busy or cut off from its database. Try again in a moment.',
    'Hizmet açılıyor, çok yoğun ya da veri tabanına ulaşamıyor. Birazdan yeniden deneyin.',
  ],
  fault: ['Something went wrong on our side', 'Bizim tarafımızda bir şeyler ters gitti'],
  faultHint: [
    'It is not your fault, and nothing was half done. Try again; if it stays, tell us this number:',
    'Kusur sizde değil ve hiçbir şey yarım kalmadı. Yeniden deneyin; sürerse bize bu numarayı bildirin:',
  ],
  again: ['Try again', 'Yeniden dene'],
  home: ['To the first page', 'Ana sayfaya dön'],
} as const satisfies Record<string, PageText>

/** Whether somebody at a browser reads the answer. Paths of the contract are for programs. */
export function isForPerson({ request, path }: Exchange): boolean {
  if (path.startsWith('/v1/') || path.startsWith('/api/')) return false
  return request.headers.accept?.includes('text/html') ?? false
}

/** Says to a person at a browser what went wrong and where to go from there. */
export function sendErrorPage({ request, response, requestId }: Exchange, error: ApiError): void {
  const language = languageOf(request.headers['accept-language'])
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter)
  // Express has made the answer its own before it knew of the error.
  sendPage(response as Response, error.status, errorPage(language, error, requestId))
}

function errorPage(language: PageLanguage, error: ApiError, requestId: string): HtmlPage {
  const { status, message } = error
  const page = (title: PageText, said: Html, link: Html) => ({
    language,
    title: say(language, title),
    body: html`${said}
      <div class="actions">${link}</div>`,
  })
  const home = html`<a class="button" href="/">${say(language, texts.home)}</a>`
  const again = html`<a class="button" href="">${say(language, texts.again)}</a>`
  if (status === 404) return page(texts.gone, html`<p>${say(language, texts.goneHint)}</p>`, home)
  if (status === 503) return page(texts.away, html`<p>${say(language, texts.awayHint)}</p>`, again)
  if (status < 500) return page(texts.refused, html`<p>${ownWords(language, message)}</p>`, home)
  const said = html`<p>${say(language, texts.faultHint)}</p>
    <p><code>${requestId}</code></p>`
  return page(texts.fault, said, again)
}
