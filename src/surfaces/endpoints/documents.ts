import type { Router } from 'express'
import {
  olderContract,
  postmanCollection,
  publicContract,
  textForModels,
} from '../../core/contract_documents.ts'
import type { ServiceConfig } from '../../operation.ts'
import { serveGet } from '../pages/pages.ts'
import { type KeptText, keptText, sendKeptText } from './kept_text.ts'

/** Documents that describe the API to programs, at addresses that the contract itself does not list. */
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
    let document: KeptText | undefined
    serveGet(pages, path, async (_request, response) => {
      // Built once: it is large, and never changes while the service runs.
      document ??= keptText(textOf(baseUrl))
      response.set('Cache-Control', 'public, max-age=300').type(type)
      await sendKeptText(response, document)
    })
  }
  serveGet(pages, '/contact', (_request, response) => response.redirect(`${dashboardUrl}/contact`))
}
