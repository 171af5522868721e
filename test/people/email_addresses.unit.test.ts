import { describe, expect, it } from 'vitest'
import {
  normaliseEmail,
  requireAllowedEmail,
  requireEmail,
} from '../../src/domain/people/email_addresses.ts'
import type { Reason } from '../../src/texts/refusals.ts'

const malformed = 'emailInvalid'
const plus = 'emailPlus'
const disposable = 'emailDisposable'
const tooLong = ['emailTooLong', { limit: 254 }] as const

const longDomain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`
const atTheLimit = `${'a'.repeat(254 - longDomain.length - 1)}@${longDomain}`

const accepted: [input: string, normalised: string][] = [
  ['demo@example.com', 'demo@example.com'],
  ['  Demo.User@Example.COM\n', 'demo.user@example.com'],
  ["o'hara_99%x@mail.example.co.uk", "o'hara_99%x@mail.example.co.uk"],
  ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  ['почта@пример.рф', 'почта@xn--e1afmkfd.xn--p1ai'],
  ['ПОЧТА@ПРИМЕР.РФ', 'почта@xn--e1afmkfd.xn--p1ai'],
  // Composed and decomposed é give one address.
  ['andre\u0301@example.com', 'andr\u00e9@example.com'],
  ['ANDR\u00c9@example.com', 'andr\u00e9@example.com'],
  // Privacy aliases are permanent addresses of real people.
  ['quiet-fox@duck.com', 'quiet-fox@duck.com'],
  ['x1@privaterelay.appleid.com', 'x1@privaterelay.appleid.com'],
  ['x1@mozmail.com', 'x1@mozmail.com'],
  ['x1@simplelogin.com', 'x1@simplelogin.com'],
  // A domain that only ends like a disposable one is a different domain.
  ['a@not-mailinator.com', 'a@not-mailinator.com'],
  ['a@mailinator.com.example.org', 'a@mailinator.com.example.org'],
  [atTheLimit, atTheLimit],
]

const refused: [input: string, reason: Reason][] = [
  ['', malformed],
  ['   ', malformed],
  ['demo', malformed],
  ['@example.com', malformed],
  ['demo@', malformed],
  ['demo@localhost', malformed],
  ['demo@@example.com', malformed],
  ['demo@example.com@example.org', malformed],
  ['de mo@example.com', malformed],
  ['"demo"@example.com', malformed],
  ['.demo@example.com', malformed],
  ['demo.@example.com', malformed],
  ['de..mo@example.com', malformed],
  ['demo@example..com', malformed],
  ['demo@.example.com', malformed],
  ['demo@example.com.', malformed],
  ['demo@-example.com', malformed],
  ['demo@exa_mple.com', malformed],
  ['demo@example.1', malformed],
  ['demo@127.1', malformed],
  ['demo@[127.0.0.1]', malformed],
  ['demo@example.com:25', malformed],
  ['demo@ex%61mple.com', malformed],
  ['demo@exam\u00adple.com', malformed],
  ['demo@xn--zz.com', malformed],
  [`demo@${'d'.repeat(64)}.com`, malformed],
  ['de\u200bmo@example.com', malformed],
  ['demo\u0000@example.com', malformed],
  ['demo@example.com\r\nBcc: other@example.com', malformed],
  ['demo@example.com, other@example.com', malformed],
  ['Demo <demo@example.com>', malformed],
  [`${'a'.repeat(65)}@example.com`, malformed],
  // A full-width plus sign does not bypass the rule.
  ['demo\uff0btag@example.com', malformed],
  ['demo+tag@example.com', plus],
  ['+@example.com', plus],
  ['demo+tag@mailinator.com', plus],
  ['a@mailinator.com', disposable],
  ['A@MAILINATOR.COM', disposable],
  ['a@mail.box.mailinator.com', disposable],
  ['a@yopmail.com', disposable],
  ['a@guerrillamail.com', disposable],
  [`a${atTheLimit}`, tooLong],
  ['\u00e9'.repeat(127) + '@example.com', tooLong],
]

function refusalOf(check: () => string): unknown {
  try {
    check()
  } catch (error) {
    return error
  }
  return undefined
}

describe('an email address', () => {
  it.each(accepted)('%j is accepted as %j', (input, normalised) => {
    expect(requireAllowedEmail(input)).toBe(normalised)
    expect(normaliseEmail(input)).toBe(normalised)
    expect(normaliseEmail(normalised)).toBe(normalised)
  })

  it.each(refused)('%j is refused: %s', (input, reason) => {
    expect(refusalOf(() => requireAllowedEmail(input))).toMatchObject({
      code: 'invalid_input',
      message: 'The request is not valid.',
      fieldErrors: { email: reason },
    })
  })

  it.each([
    ['Billing+Shop@Example.COM', 'billing+shop@example.com'],
    ['a@mailinator.com', 'a@mailinator.com'],
  ])('%j is fine where it lets nobody in', (input, normalised) => {
    expect(requireEmail(input)).toBe(normalised)
  })

  it.each(refused.filter(([, reason]) => reason === malformed || reason === tooLong))(
    '%j is refused even where it lets nobody in',
    (input, reason) => {
      expect(refusalOf(() => requireEmail(input))).toMatchObject({ fieldErrors: { email: reason } })
    },
  )

  it('is refused under its field name', () => {
    expect(refusalOf(() => requireEmail('demo@', 'billingEmail'))).toMatchObject({
      fieldErrors: { billingEmail: malformed },
    })
  })
})
