import type { SaveOptions } from './use_form.ts'

/** The header by which the service refuses to write over what somebody else has saved meanwhile. */
export function ifMatch(etag: string, { overwrite }: SaveOptions): { 'If-Match'?: string } {
  return overwrite ? {} : { 'If-Match': etag }
}
