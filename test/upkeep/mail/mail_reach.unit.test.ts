import { expect, test } from 'vitest'
import { customerCodeMail, invitationMail } from '../../../src/domain/upkeep/mail_texts.ts'
import { reachOf } from '../../../src/domain/upkeep/mail_limits.ts'

const now = new Date('2030-06-01T00:00:00.000Z')
const createdBefore = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

/** An invitation whose workspace and owner have the same name. */
const invitationBy = (name: string, isTrusted = true) => ({
  isTrusted,
  workspace: name,
  role: 'staff' as const,
  inviter: name,
  url: 'https://dashboard.example/invitations',
})

test.each([
  [0, 0, 500],
  [6.9, 0, 500],
  [7, 0, 1000],
  [30, 0, 2000],
  [90, 0, 5000],
  [0, 500, 1500],
  [90, 5000, 15_000],
  [900, 1_000_000, 100_000],
  [0, -500, 500],
])('a workspace of %f days that bought %i credits mails to %i addresses a day', (...row) => {
  const [age, boughtCredits, addresses] = row
  expect(reachOf({ createdAt: createdBefore(age), boughtCredits }, now)).toBe(addresses)
})

test.each([
  'Your account is locked. Verify: http://evil.example/login',
  'Win at evil.example',
  'Win at www.evil',
  'evil。example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'ev\u200bil.\u200bexample',
  'Write to eve@evil',
  'shop\u0336.com',
  'Win at 😀.example',
  'दुकान.भारत',
  'Shop\nYour account is locked',
  'Shop\u2028Your account is locked',
])('the name %j stands in no mail', (name) => {
  const code = customerCodeMail('en', { name, isTrusted: true }, '123456')
  expect(code.subject).toBe('Your sign-in code')
  expect(code.text).toMatch(/^Your code to sign in to the shop:\n\n {4}123456\n/)
  const invitation = invitationMail('en', invitationBy(name))
  expect(invitation.subject).toBe('You are invited to a workspace')
  expect(invitation.text).toMatch(
    /^An owner invites you to join a workspace on Vitrine as staff\.\n/,
  )
})

test.each(['Gül Kozmetik', 'No. 7', 'L.A. Beauty', 'Rose & Co.', 'バラの店。'])(
  'the name %j stands in mails',
  (name) => {
    expect(customerCodeMail('en', { name, isTrusted: true }, '123456').subject).toBe(
      `Your code for ${name}`,
    )
    expect(invitationMail('en', invitationBy(name)).subject).toBe(`You are invited to ${name}`)
  },
)

test('a name stands in a mail without what turns or hides letters', () => {
  const { subject, text } = customerCodeMail(
    'en',
    { name: 'A\u202ena\u2066\u200b', isTrusted: true },
    '123456',
  )
  expect(subject).toContain('Ana')
  expect(`${subject}${text}`).not.toMatch(/\p{Cf}/u)
})

test.each([
  'Paypal Security Team',
  'Call 0850 123 45 67 now',
  'Call (0850) 123-45-67',
  'Shop ٠٨٥٠١٢٣',
  'hxxps evil[.]example',
  'evil (dot) example',
  'evil dot com',
  'Vitrine Support: reply with your code',
  'P4yPa1 Shop',
  'PаyPal',
  'S U P P O R T',
  'Your-Official-Shop',
  'GÜVENLİK EKİBİ',
  'Müşteri Hizmetleri',
  'Ziraat Bankası',
  'Fatura Servisi',
])('the name %j stands in no mail to strangers before its account has paid', (name) => {
  const before = customerCodeMail('en', { name, isTrusted: false }, '123456')
  expect(before.subject).toBe('Your sign-in code')
  expect(before.text).toMatch(/^Your code to sign in to the shop:\n/)
  const invitation = invitationMail('en', invitationBy(name, false))
  expect(invitation.subject).toBe('You are invited to a workspace')
  expect(invitation.text).toMatch(
    /^An owner invites you to join a workspace on Vitrine as staff\.\n/,
  )
})

test.each([
  'Gül Kozmetik',
  'Studio 54',
  'No. 7',
  'Burbank Blooms',
  'Pineapple Soap',
  'Rose & Co.',
  'Мыло и розы',
  'Işıltı Atölyesi',
  'Vitrin Butik',
])('the name %j stands in mails before its account has paid', (name) => {
  const { subject } = customerCodeMail('en', { name, isTrusted: false }, '123456')
  expect(subject).toBe(`Your code for ${name}`)
})

test('a name with such words stands in mails once its account has paid', () => {
  const { subject } = customerCodeMail(
    'en',
    { name: 'Bank Street 1881', isTrusted: true },
    '123456',
  )
  expect(subject).toBe('Your code for Bank Street 1881')
})
