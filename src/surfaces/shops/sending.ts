import type { Request, Response } from 'express'
import { listsTag } from '../../core/etags.ts'
import type { DrawnPage } from '../../site/kept_pages.ts'

/** Other sites learn which shop sent them a visitor, but not which page. */
export const toOthers = { 'Referrer-Policy': 'strict-origin-when-cross-origin' }

/** Caches may keep pages but must revalidate them each time, so that a change is seen at once. */
export function sendPage(
  request: Request,
  response: Response,
  page: DrawnPage,
  { isShared }: { isShared: boolean },
): void {
  const { status, type, etag, policy, isListed } = page
  const isKept = status === 200 && isShared
  response.set('Cache-Control', isKept ? 'public, no-cache' : 'no-store')
  if (!isListed || !isShared) response.set('X-Robots-Tag', 'noindex')
  if (policy !== undefined) setPolicy(response, policy)
  response.vary('Accept-Encoding')
  if (isKept) {
    response.set('ETag', etag)
    const ifNoneMatch = request.get('If-None-Match')
    if (ifNoneMatch !== undefined && listsTag(ifNoneMatch, etag.slice(2)))
      return void response.status(304).end()
  }
  response.status(status).set('Content-Type', type)
  sendBytes(request, response, page)
}

export function sendFile(
  request: Request,
  response: Response,
  file: { type: string; plain: Buffer; brotli: Buffer | undefined },
): void {
  response.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Type': file.type,
    Vary: 'Accept-Encoding',
    // The widget's parts are modules, which browsers load from another origin only with this header.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  sendBytes(request, response, file)
}

function sendBytes(
  request: Request,
  response: Response,
  { plain, brotli }: { plain: Buffer; brotli: Buffer | undefined },
): void {
  const isCompressed = brotli !== undefined && request.acceptsEncodings(['br']) === 'br'
  const bytes = isCompressed ? brotli : plain
  if (isCompressed) response.set('Content-Encoding', 'br')
  response.set('Content-Length', String(bytes.length)).end(bytes)
}

/** A page that caches must not keep: one of a single visitor, or one that replaces all others. */
export function sendOwnPage(
  response: Response,
  { status, plain, policy }: Pick<DrawnPage, 'status' | 'plain' | 'policy'>,
): void {
  if (policy !== undefined) setPolicy(response, policy)
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
  response.status(status).set('Content-Type', 'text/html; charset=utf-8')
  response.set('Content-Length', String(plain.length)).end(plain)
}

function setPolicy(response: Response, policy: string): void {
  response.set('Content-Security-Policy', policy)
  response.set('Cross-Origin-Embedder-Policy', 'require-corp')
  response.set(toOthers)
}
