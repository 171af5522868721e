import type { components } from '../../generated/types.ts'
import { fill as fillText } from '../../texts/fill.ts'
import { isMailableName, type MailedName, withoutFormat } from './mail_names.ts'
import { defaultLanguage, type Language, serviceTexts } from '../../texts/languages.ts'

interface MailText {
  subject: string
  text: string
}

/** The purpose of a six-digit code. */
type CodePurpose = 'newEmail' | 'billingEmail'

/** What is signed in to: the dashboard, or administration. */
type SignInPurpose = 'sign_in' | 'staff_sign_in'

export function codeMail(language: Language, purpose: CodePurpose, code: string): MailText {
  const { codeSubject, codeHint, [purpose]: introduction } = serviceTexts[language].mails
  return { subject: codeSubject, text: paragraphs(introduction, `    ${code}`, codeHint) }
}

/** A code to sign in to our own pages and, for an address under attack, a link beside it. */
export function signInMail(
  language: Language,
  purpose: SignInPurpose,
  { code, url }: { code: string; url: string | undefined },
): MailText {
  const { mails } = serviceTexts[language]
  const introduction = purpose === 'sign_in' ? mails.signIn : mails.staffSignIn
  const beside = url === undefined ? [] : [mails.linkBeside, url]
  return {
    subject: mails.codeSubject,
    text: paragraphs(introduction, `    ${code}`, ...beside, mails.codeHint),
  }
}

/** A link to sign in, for an address whose codes strangers have used up. */
export function linkMail(language: Language, purpose: SignInPurpose, url: string): MailText {
  const { mails } = serviceTexts[language]
  const introduction = purpose === 'sign_in' ? mails.signInLink : mails.staffSignInLink
  return { subject: mails.linkSubject, text: paragraphs(introduction, url, mails.linkHint) }
}

/** The mail with a customer's sign-in code. */
export function customerCodeMail(language: Language, shop: MailedName, code: string): MailText {
  const { mails } = serviceTexts[language]
  const named = isMailableName(shop)
  const workspace = shop.name
  const subject = named ? mails.customerCodeSubject : mails.customerCodeSubjectUnnamed
  const introduction = named ? mails.customerCode : mails.customerCodeUnnamed
  return {
    subject: fill(language, subject, { workspace }),
    text: paragraphs(fill(language, introduction, { workspace }), `    ${code}`, mails.codeHint),
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

/** Asks the staff to call the owner of a workspace whose template is made with them. */
export function callMessage(request: {
  workspace: string
  id: string
  subDomain: string
  template: string
  phone: string
}): string {
  return fill(defaultLanguage, serviceTexts[defaultLanguage].mails.callRequest, request)
}

/** What the staff read of a name that they are to look at. */
export function reviewMessage(request: { workspace: string; shown: string }): string {
  return fill(defaultLanguage, serviceTexts[defaultLanguage].mails.nameReview, request)
}

export function invitationMail(
  language: Language,
  invitation: {
    workspace: string
    role: components['schemas']['Role']
    /** The name of who invites. */
    inviter: string
    /** Whether the account of the workspace has paid. */
    isTrusted: boolean
    url: string
  },
): MailText {
  const { mails, roles } = serviceTexts[language]
  const { workspace, url, isTrusted } = invitation
  const inviter = isMailableName({ name: invitation.inviter, isTrusted })
    ? invitation.inviter
    : mails.invitingOwner
  const named = isMailableName({ name: workspace, isTrusted })
  const subject = named ? mails.invitationSubject : mails.invitationSubjectUnnamed
  const text = named ? mails.invitation : mails.invitationUnnamed
  const introduction = fill(language, text, { workspace, inviter, role: roles[invitation.role] })
  return {
    subject: fill(language, subject, { workspace }),
    text: paragraphs(introduction, fill(language, mails.invitationHint, { url })),
  }
}

/** Says that a wallet has fallen below its owner's threshold. */
export function lowBalanceMail(
  language: Language,
  alert: { workspace: string; subDomain: string; balance: number; below: number; url: string },
): MailText {
  const { lowBalanceSubject, lowBalance, lowBalanceHint } = serviceTexts[language].mails
  const { balance, below, url } = alert
  const workspace = isMailableName(known(alert.workspace)) ? alert.workspace : alert.subDomain
  return {
    subject: fill(language, lowBalanceSubject, { workspace }),
    text: paragraphs(
      fill(language, lowBalance, { workspace, count: balance, below }),
      fill(language, lowBalanceHint, { url }),
    ),
  }
}

/** Tells a member what waits; each line is left out where nothing does. */
export function digestMail(
  language: Language,
  about: { workspace: string; subDomain: string; url: string; stopUrl: string },
  figures: { unanswered: number; changes: number; feedback: number; soldOut: number },
): MailText {
  const { mails } = serviceTexts[language]
  const workspace = isMailableName(known(about.workspace)) ? about.workspace : about.subDomain
  const waiting = [
    ['digest.unanswered', figures.unanswered],
    ['digest.changes', figures.changes],
    ['digest.feedback', figures.feedback],
    ['digest.soldOut', figures.soldOut],
  ] as const
  const lines = waiting
    .filter(([, count]) => count > 0)
    .map(([key, count]) => `- ${fill(language, mails[key], { count })}`)
  return {
    subject: fill(language, mails.digestSubject, { workspace }),
    text: paragraphs(
      fill(language, mails.digest, { workspace }),
      lines.join('\n'),
      fill(language, mails.digestHint, { url: about.url }),
      fill(language, mails.digestStop, { url: about.stopUrl }),
    ),
  }
}

/** Tells an owner that a webhook sends nothing any more. */
export function webhookDisabledMail(
  language: Language,
  about: { workspace: string; subDomain: string; host: string; page: string },
): MailText {
  const { webhookDisabledSubject, webhookDisabled, webhookDisabledHint } =
    serviceTexts[language].mails
  const { host, page } = about
  const workspace = isMailableName(known(about.workspace)) ? about.workspace : about.subDomain
  return {
    subject: fill(language, webhookDisabledSubject, { workspace }),
    text: paragraphs(
      fill(language, webhookDisabled, { workspace, host }),
      fill(language, webhookDisabledHint, { url: page }),
    ),
  }
}

/** Tells an owner that a domain leads to the shop no longer: its record is gone, or another shop has it. */
export function domainLostMail(
  language: Language,
  about: {
    workspace: string
    subDomain: string
    domain: string
    reason: 'gone' | 'taken'
    /** Where the shop is now. */
    shop: string
    page: string
  },
): MailText {
  const { mails } = serviceTexts[language]
  const { domain, reason, shop, page } = about
  const workspace = isMailableName(known(about.workspace)) ? about.workspace : about.subDomain
  const why = reason === 'gone' ? mails.domainGone : mails.domainTaken
  return {
    subject: fill(language, mails.domainLostSubject, { workspace, domain }),
    text: paragraphs(
      fill(language, why, { workspace, domain }),
      fill(language, mails.domainLostShop, { shop }),
      fill(language, mails.domainLostHint, { url: page }),
    ),
  }
}

/** Tells the old address of an account that it has another one. */
export function emailChangedMail(language: Language, email: string, url: string): MailText {
  const { mails } = serviceTexts[language]
  return {
    subject: mails.emailChangedSubject,
    text: paragraphs(
      fill(language, mails.emailChanged, { email }),
      fill(language, mails.emailChangedHint, { url }),
    ),
  }
}

export function newKeyMail(language: Language, name: string): MailText {
  const { newKeySubject, newKey, newKeyUnnamed, noticeHint } = serviceTexts[language].mails
  const text = isMailableName(known(name)) ? newKey : newKeyUnnamed
  return { subject: newKeySubject, text: paragraphs(fill(language, text, { name }), noticeHint) }
}

export function newAgentMail(language: Language, name: string): MailText {
  const { newAgentSubject, newAgent, newAgentUnnamed, noticeHint } = serviceTexts[language].mails
  const text = isMailableName(known(name)) ? newAgent : newAgentUnnamed
  return { subject: newAgentSubject, text: paragraphs(fill(language, text, { name }), noticeHint) }
}

export function newOwnerMail(language: Language, workspace: string, email: string): MailText {
  const { newOwnerSubject, newOwner, newOwnerUnnamed, newOwnerHint } = serviceTexts[language].mails
  const text = isMailableName(known(workspace)) ? newOwner : newOwnerUnnamed
  return {
    subject: newOwnerSubject,
    text: paragraphs(fill(language, text, { workspace, email }), newOwnerHint),
  }
}

/** Tells a former owner, who may not know of it. */
export function ownerRemovedMail(language: Language, workspace: string): MailText {
  const { mails } = serviceTexts[language]
  const text = isMailableName(known(workspace)) ? mails.ownerRemoved : mails.ownerRemovedUnnamed
  return {
    subject: mails.ownerRemovedSubject,
    text: paragraphs(fill(language, text, { workspace }), mails.ownerRemovedHint),
  }
}

/** Tells the address that an account has lost again. */
export function emailUndoneMail(language: Language, email: string): MailText {
  const { emailUndoneSubject, emailUndone, emailUndoneHint } = serviceTexts[language].mails
  return {
    subject: emailUndoneSubject,
    text: paragraphs(fill(language, emailUndone, { email }), emailUndoneHint),
  }
}

/** In a mail to people who know the account: its owners and members. */
function known(name: string): MailedName {
  return { name, isTrusted: true }
}

function paragraphs(...texts: string[]): string {
  return texts.join('\n\n')
}

/** Without characters that turn the direction of writing, or hide: others' names stand in mails. */
function fill(language: Language, text: string, values: Record<string, string | number>): string {
  const visible = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'string' ? withoutFormat(value) : value,
  ])
  return fillText(language, text, Object.fromEntries(visible))
}
