import type { CorsOptions } from 'cors'

const exposedHeaders = [
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Deprecation',
  'Sunset',
  'Link',
  'WWW-Authenticate',
]

/** Credentials are in a header that browsers never add themselves, so any page may call. */
export const corsOptions: CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  maxAge: 600,
  exposedHeaders,
}

/** The same headers, for all requests but preflights. */
export const corsHeaders: [string, string][] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', exposedHeaders.join(',')],
]
