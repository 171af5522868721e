import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** Answers are data: nothing may be loaded, framed or run. Pages set their own policy. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
  // A shop may be at the top of a domain, whose other hosts are its owner's own business.
  strictTransportSecurity: { includeSubDomains: false },
} as const

/** Features that our pages never use, denied in case of injected code. */
const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** The same for every request, so they are computed once; helmet provides most of them. */
export const securityHeaders: [name: string, value: string][] = [
  ...headersOf(helmet(policy)),
  ['Permissions-Policy', permissions.map((feature) => `${feature}=()`).join(', ')],
]

function headersOf(middleware: ReturnType<typeof helmet>): [string, string][] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}
