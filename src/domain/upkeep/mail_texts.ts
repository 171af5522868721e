import type { components } from '../../generated/types.ts'
import { fill } from '../../texts/fill.ts'
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
  const { customerCodeSubject, customerCode, codeHint } = serviceTexts[language].mails
  const introduction = fill(language, customerCode, { workspace })
  return {
    subject: fill(language, customerCodeSubject, { workspace }),
    text: paragraphs(introduction, `    ${code}`, codeHint),
  }
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
  const invitation = fill(language, mails.invitation, { workspace, role: roles[role] })
  return {
    subject: fill(language, mails.invitationSubject, { workspace }),
    text: paragraphs(invitation, fill(language, mails.invitationHint, { url })),
  }
}

function paragraphs(...texts: string[]): string {
  return texts.join('\n\n')
}
