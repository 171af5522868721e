import { invalidInput } from '../../core/errors.ts'
import { isLoopbackUrl } from '../../core/public_urls.ts'
import { parsedUrl } from '../../core/urls.ts'
import type { ServiceConfig } from '../../operation.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** Requires https origins as browsers write them; in development also those of this machine. */
export function requireOrigins(
  field: string,
  origins: readonly string[],
  environment: ServiceConfig['environment'],
): void {
  const errors: FieldErrors = {}
  for (const [index, origin] of origins.entries()) {
    const isSafe =
      origin.startsWith('https:') || (environment === 'development' && isLoopbackUrl(origin))
    // A wildcard parses as a name, and no page has it.
    if (!isSafe || origin.includes('*') || parsedUrl(origin)?.origin !== origin)
      errors[`${field}.${index}`] = 'embedOrigin'
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
}
