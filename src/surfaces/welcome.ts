import type { RequestHandler } from 'express'

/** Says to somebody who opens an origin in a browser what is served there. */
export function welcomePage(title: string, sentence: string): RequestHandler {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vitrine ${title}</title>
  </head>
  <body>
    <main>
      <h1>Vitrine ${title}</h1>
      <p>${sentence}</p>
    </main>
  </body>
</html>
`
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').type('html').send(html)
  }
}
