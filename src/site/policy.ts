import { hash } from 'node:crypto'

/**
 * The content security policy of a page with this style: our own files, the shop's pictures, no script
 * but our own, no frame. The style is admitted by its hash, so that no other can be put in.
 */
export function pagePolicy(style: string, baseUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash('sha256', style, 'base64')}'`,
    "font-src 'self'",
    `img-src 'self' ${baseUrl}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The same policy for a page that the dashboard frames. */
export function previewPolicy(policy: string, dashboardUrl: string): string {
  return policy.replace("frame-ancestors 'none'", `frame-ancestors ${dashboardUrl}`)
}
