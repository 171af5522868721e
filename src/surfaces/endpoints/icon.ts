import express, { type Router } from 'express'
import { serveGet } from '../pages/pages.ts'

/** The product's initial as a 32-pixel PNG, which every browser and agent supports. */
const icon = Buffer.from(
  'AAABAAEAICAAAAEAIABlAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAADBQTFRFTGlx' +
    'Hl5JHl5JHl5JIFxHHl9JH2BKH19K////apWHwdPNOnJg8fXzqsO7i6yi2eTgBSJy/QAAAAd0Uk5TAPLPgxVUUtjI' +
    '/YYAAAAJcEhZcwAALEsAACxLAaU9lqkAAADISURBVCjPZdKxFYIwEAbgK3QDlQEs7G1sdQPdwBXQ4h4I/Y+ilrIB' +
    'I8gGsIFsIBtoaSJ595JwXb73Lrl3f4hGy4BNhfM1Ee3YqinRmJ3a0saFCa1cONLChQMFLoTEXv3hi5I5wl2gw4U5' +
    'xk2gQsacaDUQ48xc6D4DEfDkFg8BbtShUSjQoox0m0CBOtUXCyTIEtQWpLgWeFlwQm4eMaCGR842dOgHF6jQDy4Q' +
    'Ax8H1PBvB6wFDVY4WPIghkFQXpR7L+yZSt/7Dj8bHe0DPpRqBwAAAABJRU5ErkJggg==',
  'base64',
)

/** The icon of every origin, at the path that browsers request by default. */
export function createIcon(): Router {
  const pages = express.Router()
  serveGet(pages, '/favicon.ico', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('image/x-icon').send(icon)
  })
  // Agents show it beside the server's name, and few of them read the other format.
  serveGet(pages, '/icon.png', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('png').send(icon.subarray(22))
  })
  return pages
}
