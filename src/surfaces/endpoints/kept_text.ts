import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Response } from 'express'
import { etagOf } from '../../core/etags.ts'
import { addVary, type Encoding, encodingFor } from '../http/compression.ts'

/** A text that is built once and sent often, with its compressed forms. */
export interface KeptText {
  bytes: Buffer
  etag: string
  encoded: Map<Encoding, Promise<Buffer>>
}

export function keptText(text: string): KeptText {
  const bytes = Buffer.from(text)
  return { bytes, etag: etagOf(bytes), encoded: new Map() }
}

/** Sends a text in the best form that the client accepts. */
export async function sendKeptText(
  response: Response,
  { bytes, etag, encoded }: KeptText,
): Promise<void> {
  const encoding = encodingFor(response.req.headers['accept-encoding'])
  addVary(response, 'Accept-Encoding')
  if (!encoding) return void response.set('ETag', etag).send(bytes)
  const coded = encoded.get(encoding) ?? encode[encoding](bytes)
  encoded.set(encoding, coded)
  response.set({ ETag: `W/${etag}`, 'Content-Encoding': encoding }).send(await coded)
}

/** Each form is built once, off the event loop, so a slower and tighter level is worth it. */
const encode = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}
