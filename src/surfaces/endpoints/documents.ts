import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Response, Router } from 'express'
import {
  olderContract,
  postmanCollection,
  publicContract,
  textForModels,
} from '../../core/contract_documents.ts'
import { etagOf } from '../../core/etags.ts'
import type { ServiceConfig } from '../../operation.ts'
import { addVary, type Encoding, encodingFor } from '../http/compression.ts'
import { serveGet } from '../pages/pages.ts'

interface Document {
  bytes: Buffer
  etag: string
  encoded: Map<Encoding, Promise<Buffer>>
}

/** What describes the API to programs, at addresses that the contract itself does not list. */
const documents = [
  { path: '/v1/openapi.json', type: 'application/json', textOf: publicContract },
  { path: '/v1/openapi-3.0.json', type: 'application/json', textOf: olderContract },
  { path: '/v1/postman.json', type: 'application/json', textOf: postmanCollection },
  { path: '/llms.txt', type: 'text/plain', textOf: textForModels },
]

export function serveDocuments(
  pages: Router,
  { baseUrl, dashboardUrl }: Pick<ServiceConfig, 'baseUrl' | 'dashboardUrl'>,
): void {
  for (const { path, type, textOf } of documents) {
    let document: Document | undefined
    serveGet(pages, path, async (request, response) => {
      // Made once: it is large, and never changes while the service runs.
      document ??= documentOf(textOf(baseUrl))
      response.set('Cache-Control', 'public, max-age=300').type(type)
      await send(response, document, encodingFor(request.headers['accept-encoding']))
    })
  }
  serveGet(pages, '/contact', (_request, response) => response.redirect(`${dashboardUrl}/contact`))
}

function documentOf(text: string): Document {
  const bytes = Buffer.from(text)
  return { bytes, etag: etagOf(bytes), encoded: new Map() }
}

async function send(
  response: Response,
  { bytes, etag, encoded }: Document,
  encoding: Encoding | undefined,
): Promise<void> {
  addVary(response, 'Accept-Encoding')
  if (!encoding) return void response.set('ETag', etag).send(bytes)
  const coded = encoded.get(encoding) ?? encode[encoding](bytes)
  encoded.set(encoding, coded)
  response.set({ ETag: `W/${etag}`, 'Content-Encoding': encoding }).send(await coded)
}

/** Each is made once, off the event loop, so that a slower and tighter level is worth it. */
const encode = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}
