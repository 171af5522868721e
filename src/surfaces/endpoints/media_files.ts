import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express, { type Request, type Response, type Router } from 'express'
import type { ByteRange, MediaStore } from '../../adapters/media_store.ts'
import { createSuspensions } from '../../access/suspended_workspaces.ts'
import { ApiError } from '../../core/errors.ts'
import { listsTag } from '../../core/etags.ts'
import { imageExtensions } from '../../domain/media/image_types.ts'
import {
  avifWidths,
  shareKey,
  variantKey,
  webpWidths,
} from '../../domain/media/picture_variants.ts'
import { findServedFile, type ServedFile } from '../../queries/media/media_files.ts'
import type { Service } from '../call/call.ts'
import { serveGet } from '../pages/pages.ts'

const types = new Map<string, string>(
  Object.entries(imageExtensions).map(([type, extension]) => [extension, type]),
)

/** A hash or half of one, the width of a smaller file or what another is for, and the type. */
const file = /^([0-9a-f]{64}|[\w-]{22})(?:-(\d{2,4}|share))?\.([a-z]{3,4})$/

/**
 * Serves media files to all who know the URL. A URL names the content by its hash or, because models read
 * URLs, by half of it, so it never changes. Deleted files, and those of a suspended workspace, live on in
 * caches until these expire.
 */
export function createMediaFiles({
  mediaStore,
  db,
  clock,
}: Pick<Service, 'mediaStore' | 'db' | 'clock'>): Router {
  const files = express.Router()
  const isSuspended = createSuspensions(db, clock)
  serveGet(files, '/:workspaceId/:file', async (request, response, next) => {
    const { workspaceId = '', file: name = '' } = request.params as Record<string, string>
    const [, given = '', made, extension = ''] = file.exec(name) ?? []
    const type = types.get(extension)
    if (!given || !type || !/^\w{1,160}$/.test(workspaceId)) return next('router')
    if (await isSuspended(workspaceId))
      throw new ApiError('workspace_inactive', 'workspaceSuspended')
    const beginning = given.length === 64 ? given : digitsOf(given)
    const found = beginning ? await findServedFile(db, workspaceId, beginning, clock()) : undefined
    const isWanted = found && (made === undefined || isMade(made, extension))
    if (!isWanted) return next('router')
    const original = `${workspaceId}/${found.hash}.${made === undefined ? extension : found.extension}`
    const contents =
      made === undefined
        ? [contentOf(original, found.hash)]
        : made === 'share'
          ? shareFor(original, found)
          : variantsFor(original, found, Number(made), request)
    for (const content of contents) if (await serve(mediaStore, content, request, response)) return
    // A missing file is answered like any other unknown path.
    next('router')
  })
  return files
}

/** Whether there are files with this beside their hash. */
const isMade = (made: string, extension: string) =>
  made === 'share'
    ? extension === 'jpg'
    : extension === 'webp' && webpWidths.some((each) => each === Number(made))

interface Content {
  key: string
  etag: string
  type: string
  /** For how many seconds it may be cached. A file named by the hash of its content never changes. */
  seconds?: number
  /** Whether the file depends on the kind of client. */
  isNegotiated?: boolean
}

function contentOf(key: string, tag: string): Content {
  const extension = key.slice(key.lastIndexOf('.') + 1)
  return { key, etag: `"${tag}"`, type: types.get(extension) ?? 'application/octet-stream' }
}

/**
 * Which smaller files to serve, the best first. Otherwise the original is served instead: for good if the
 * picture has no such file, and for a minute if it is not made yet.
 */
function variantsFor(
  original: string,
  { hash, width: ownWidth, variants }: ServedFile,
  width: number,
  request: Request,
): Content[] {
  const isMissing = variants === 2 || (ownWidth !== null && ownWidth <= width)
  const whole = contentOf(original, hash)
  if (isMissing) return [whole]
  const small = (extension: string): Content => ({
    ...contentOf(variantKey(original, width, extension), `${hash}-${width}-${extension}`),
    isNegotiated: true,
  })
  const takesAvif = /image\/avif/.test(request.get('Accept') ?? '')
  const hasAvif = takesAvif && avifWidths.some((each) => each === width)
  const files = hasAvif ? [small('avif'), small('webp')] : [small('webp')]
  return [...files, { ...whole, seconds: notYetSeconds, isNegotiated: true }]
}

/** What to serve to messengers: the original until their file is made. */
function shareFor(original: string, { hash }: ServedFile): Content[] {
  const share = contentOf(shareKey(original), `${hash}-share`)
  return [share, { ...contentOf(original, hash), seconds: notYetSeconds }]
}

/** How long the original is kept in the place of a file that will be made. */
const notYetSeconds = 60
const aYear = 31_536_000

/** The digits behind 22 characters; a second spelling of the same bits is unknown. */
function digitsOf(short: string): string | undefined {
  const bytes = Buffer.from(short, 'base64url')
  return bytes.toString('base64url') === short ? bytes.toString('hex') : undefined
}

/** Answers with the content; false if there is none. */
async function serve(
  store: MediaStore,
  { key, etag, type, seconds = aYear, isNegotiated = false }: Content,
  request: Request,
  response: Response,
): Promise<boolean> {
  const ifNoneMatch = request.get('If-None-Match')
  const requestedRange = rangeHeader(request, etag)
  const unchanged = ifNoneMatch !== undefined && listsTag(ifNoneMatch, etag)
  // A plain read gets the size with the content, without a separate lookup.
  const isPlain = !requestedRange && !unchanged && request.method !== 'HEAD'
  const whole = isPlain ? await store.read(key) : undefined
  const size = isPlain ? whole?.size : await store.size(key)
  if (size === undefined) return false

  response.set({
    'Cache-Control': `public, max-age=${seconds}${seconds === aYear ? ', immutable' : ''}`,
    ...(isNegotiated ? { Vary: 'Accept' } : {}),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  })
  const range = requestedRange === undefined ? undefined : rangeOf(requestedRange, size)
  if (unchanged) response.status(304).end()
  else if (range === 'unsatisfiable') {
    response.set({ 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' })
    response.status(416).end()
  } else {
    const length = range ? range.end - range.start + 1 : size
    response.set({ 'Content-Type': type, 'Content-Length': String(length) })
    if (range)
      response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
    if (request.method === 'HEAD') response.end()
    else await send(whole ?? (await store.read(key, range)), response)
  }
  return true
}

/** A client that disconnects is not an error; if the store fails mid-stream, the connection ends. */
async function send(content: { stream: Readable } | undefined, response: Response): Promise<void> {
  if (!content) return void response.destroy()
  await pipeline(content.stream, response).catch(() => response.destroy())
}

/** The requested range; ignored if it refers to older content. */
function rangeHeader(request: Request, etag: string): string | undefined {
  const condition = request.get('If-Range')
  // Compare exactly: content with a weak tag may differ in its bytes.
  if (condition !== undefined && condition !== etag) return undefined
  const header = request.get('Range')
  // Multiple or malformed ranges are answered with the whole file, as HTTP allows.
  return header && /^bytes=(\d+-\d*|-\d+)$/.test(header) ? header : undefined
}

function rangeOf(header: string, size: number): ByteRange | 'unsatisfiable' {
  const [from = '', to = ''] = header.slice('bytes='.length).split('-')
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start >= size || end < start ? 'unsatisfiable' : { start, end }
}
