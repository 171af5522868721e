import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Router } from 'express'
import { serveGet } from '../pages/pages.ts'

/** Only Swagger UI's own files; nothing from other origins. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vitrine API</title>
    <link rel="stylesheet" href="swagger-ui.css" />
    <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="initializer.js"></script>
  </body>
</html>
`

const initializer = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
})
`

/** The only files of the package that the page loads. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The API reference: Swagger UI, served from local files, over /v1/openapi.json. */
export function createDocs(): Router {
  const docs = express.Router()
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  docs.use((request, response, next) => {
    // The page's URLs are relative to the folder, so the trailing slash matters.
    if (request.originalUrl.split('?')[0] === request.baseUrl)
      return response.redirect(`${request.baseUrl}/`)
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'public, max-age=3600' })
    next()
  })
  serveGet(docs, '/', (_request, response) => response.type('html').send(page))
  serveGet(docs, '/initializer.js', (_request, response) => response.type('js').send(initializer))
  for (const file of files)
    serveGet(docs, `/${file}`, (_request, response) => {
      response.sendFile(file, { root, cacheControl: false })
    })
  return docs
}
