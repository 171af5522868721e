import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import express, { type Router } from 'express'
import { guideFiles } from '../../core/contract_documents.ts'
import { notFound } from '../../core/errors.ts'
import type { ServiceConfig } from '../../operation.ts'
import { serveGet } from '../pages/pages.ts'
import { type KeptText, keptText, sendKeptText } from './kept_text.ts'

/** Only the guide's own files; its script makes elements, never markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '': 'html',
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.css': 'css',
  '.js': 'js',
}

/** The code that solves a challenge, for pages that do without the widget. */
const solver = ['pow.js', 'helpers.js', 'types.js', 'algorithms/web/pbkdf2.js']

/** The guide and the reference, as drawn by codegen. */
export function createDocs({
  baseUrl,
  dashboardUrl,
}: Pick<ServiceConfig, 'baseUrl' | 'dashboardUrl'>): Router {
  const docs = express.Router()
  const packages = createRequire(import.meta.url)
  const solverRoot = join(dirname(packages.resolve('altcha-lib')), '..', '..', 'esm', 'v2')
  let texts: Map<string, string> | undefined
  const kept = new Map<string, KeptText>()
  docs.use((request, response, next) => {
    if (request.originalUrl.split('?')[0] === request.baseUrl)
      return response.redirect(`${request.baseUrl}/`)
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'public, max-age=300' })
    next()
  })
  for (const file of solver)
    serveGet(docs, `/altcha/${file}`, (_request, response) => {
      response.sendFile(file, { root: solverRoot, cacheControl: false })
    })
  serveGet(docs, '/{*page}', async (request, response) => {
    // Read at the first request: most processes never serve the guide.
    texts ??= guideFiles(baseUrl, dashboardUrl)
    const path = request.path.slice(1)
    const text = texts.get(path)
    if (text === undefined) throw notFound('path')
    const file = kept.get(path) ?? keptText(text)
    kept.set(path, file)
    response.type(types[extname(path)] ?? 'html')
    await sendKeptText(response, file)
  })
  return docs
}
