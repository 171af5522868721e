import { domainToASCII, domainToUnicode } from 'node:url'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { invalidInput } from '../../core/errors.ts'
import { limits } from '../../generated/limits.ts'
import type { Reason } from '../../texts/refusals.ts'

const maxOctets = limits.Email.maxLength
const maxLocalOctets = 64

const localPart =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
// Check before the conversion to ASCII, which decodes %61 and drops invisible characters.
const writtenDomain = /^[\p{L}\p{M}\p{N}.-]+$/u
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Newer versions of Node leave a label as it is that stands for nothing. */
const undecoded = /(?:^|\.)xn--/

/** The normalised address, by which accounts and customers are looked up. */
export function normaliseEmail(email: string): string {
  const folded = email.trim().toLowerCase().normalize('NFC')
  const { local, domain } = split(folded)
  if (local === undefined) return folded
  return `${local}@${domainToASCII(domain) || domain}`
}

/** The normalised address, or a refusal that names the field. */
export function requireEmail(email: string, field = 'email'): string {
  const address = normaliseEmail(email)
  const reason = problemWith(split(email.trim()).domain, address)
  if (reason === undefined) return address
  throw invalidInput({ [field]: reason })
}

/** An address that may sign in: none that lets one person pose as many. */
export function requireAllowedEmail(email: string): string {
  const { local, domain } = split(normaliseEmail(email))
  if (local?.includes('+')) throw invalidInput({ email: 'emailPlus' })
  const address = requireEmail(email)
  if (isDisposable(domain)) throw invalidInput({ email: 'emailDisposable' })
  return address
}

function problemWith(domainAsWritten: string, address: string): Reason | undefined {
  if (Buffer.byteLength(address) > maxOctets) return ['emailTooLong', { limit: maxOctets }]
  const { local, domain } = split(address)
  const wellFormed =
    local !== undefined &&
    Buffer.byteLength(local) <= maxLocalOctets &&
    localPart.test(local) &&
    writtenDomain.test(domainAsWritten) &&
    asciiDomain.test(domain) &&
    domainToASCII(domain) === domain &&
    !undecoded.test(domainToUnicode(domain))
  return wellFormed ? undefined : 'emailInvalid'
}

function split(email: string): { local: string | undefined; domain: string } {
  const at = email.lastIndexOf('@')
  return at < 0
    ? { local: undefined, domain: '' }
    : { local: email.slice(0, at), domain: email.slice(at + 1) }
}

// Parsed on first use, not at start: several thousand domains take a few milliseconds.
let disposableDomains: Set<string> | undefined

/** Disposable services hand out subdomains, so check every parent domain too. */
function isDisposable(domain: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet()
  const labels = domain.split('.')
  for (let first = 0; first < labels.length - 1; first++) {
    if (disposableDomains.has(labels.slice(first).join('.'))) return true
  }
  return false
}
