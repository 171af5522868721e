import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

/** Solves the challenge of the calls that need one, as an integrator's page does with the widget. */
const initializer = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const guarded = /^(.*\\/experience)\\/(chat\\/[a-z-]+|customer\\/otp\\/request)$/

async function withChallenge(request) {
  const [, experience] = guarded.exec(new URL(request.url, location).pathname) ?? []
  const body = experience && parsed(request.body)
  if (!body || body.challengeToken) return request
  const bootstrap = await fetch(experience + '/bootstrap', { headers: request.headers })
  if (!bootstrap.ok) return request
  const { accessPolicy, challengeSiteKey } = await bootstrap.json()
  if (accessPolicy.challenge === 'OFF') return request
  const issued = await fetch('/challenge?' + new URLSearchParams({ siteKey: challengeSiteKey }))
  if (!issued.ok) return request
  const challengeToken = await solutionOf(await issued.json())
  return { ...request, body: JSON.stringify({ ...body, challengeToken }) }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    // The service says what is wrong with it.
    return undefined
  }
}

async function solutionOf(challenge) {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('./altcha/pow.js'),
    import('./altcha/algorithms/web/pbkdf2.js'),
  ])
  return btoa(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) }))
}

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: withChallenge,
})
`

/** The only files of the packages that the page loads. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']
const solver = ['pow.js', 'helpers.js', 'types.js', 'algorithms/web/pbkdf2.js']

/** The API reference: Swagger UI, served from local files, over /v1/openapi.json. */
export function createDocs(): Router {
  const docs = express.Router()
  const packages = createRequire(import.meta.url)
  const root = dirname(packages.resolve('swagger-ui-dist/package.json'))
  const solverRoot = join(dirname(packages.resolve('altcha-lib')), '..', '..', 'esm', 'v2')
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
  for (const file of solver)
    serveGet(docs, `/altcha/${file}`, (_request, response) => {
      response.sendFile(file, { root: solverRoot, cacheControl: false })
    })
  return docs
}
