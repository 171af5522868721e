import type { components } from '../../generated/types.ts'
import { fill as fillText } from '../../texts/fill.ts'
import { defaultLanguage, type Language, serviceTexts } from '../../texts/languages.ts'

interface MailText {
  subject: string
  text: string
}

/** The purpose of a six-digit code. */
type CodePurpose = 'signIn' | 'staffSignIn' | 'newEmail' | 'billingEmail'

export function codeMail(language: Language, purpose: CodePurpose, code: string): MailText {
  const { codeSubject, codeHint, [purpose]: introduction } = serviceTexts[language].mails
  return { subject: codeSubject, text: paragraphs(introduction, `    ${code}`, codeHint) }
}

/** The mail with a customer's sign-in code. */
export function customerCodeMail(language: Language, workspace: string, code: string): MailText {
  const { mails } = serviceTexts[language]
  const named = isMailableName(workspace)
  const subject = named ? mails.customerCodeSubject : mails.customerCodeSubjectUnnamed
  const introduction = named ? mails.customerCode : mails.customerCodeUnnamed
  return {
    subject: fill(language, subject, { workspace }),
    text: paragraphs(fill(language, introduction, { workspace }), `    ${code}`, mails.codeHint),
  }
}

/** What mail programs may make a link of: a label of a host, a dot in any form, and two letters. */
const domain = /[\p{L}\p{N}\p{M}\p{S}-][.。｡]\p{L}[\p{L}\p{M}]/u
const scheme = /:\/\/|www[.。｡]|@/iu

/**
 * Whether a name may stand in a mail. Strangers choose the names of workspaces, and the mail goes to
 * other strangers in our name: it must carry no link, no address and no lines of its own.
 */
function isMailableName(name: string): boolean {
  const visible = withoutFormat(name.normalize('NFKC'))
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(visible) && !domain.test(visible) && !scheme.test(visible)
}

/** Notifies the staff of a contact request. */
export function contactMail(
  { name, email, message }: { name: string; email: string; message: string },
  url: string,
): MailText {
  const { contactSubject, contactFrom, contactHint } = serviceTexts[defaultLanguage].mails
  const from = fill(defaultLanguage, contactFrom, { name, email })
  const hint = fill(defaultLanguage, contactHint, { url })
  return { subject: contactSubject, text: paragraphs(from, message, hint) }
}

export function invitationMail(
  language: Language,
  workspace: string,
  role: components['schemas']['Role'],
  url: string,
): MailText {
  const { mails, roles } = serviceTexts[language]
  const named = isMailableName(workspace)
  const subject = named ? mails.invitationSubject : mails.invitationSubjectUnnamed
  const text = named ? mails.invitation : mails.invitationUnnamed
  const invitation = fill(language, text, { workspace, role: roles[role] })
  return {
    subject: fill(language, subject, { workspace }),
    text: paragraphs(invitation, fill(language, mails.invitationHint, { url })),
  }
}

function paragraphs(...texts: string[]): string {
  return texts.join('\n\n')
}

/** Without characters that turn the direction of writing, or hide: others' names stand in mails. */
function fill(language: Language, text: string, values: Record<string, string>): string {
  const visible = Object.entries(values).map(([name, value]) => [name, withoutFormat(value)])
  return fillText(language, text, Object.fromEntries(visible) as Record<string, string>)
}

function withoutFormat(text: string): string {
  return text.replace(/\p{Cf}/gu, '')
}
