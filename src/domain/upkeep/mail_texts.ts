/** The mail that carries a six-digit code, for each thing a code is used for. */
export function codeMail(purpose: string, code: string): { subject: string; text: string } {
  return {
    subject: 'Your Vitrine code',
    text: [
      `Your code to ${purpose}:`,
      `    ${code}`,
      'It is valid for 10 minutes and works once. If you did not ask for it, ignore this mail.',
    ].join('\n\n'),
  }
}

/** To whoever asks for a staff code without being on the staff. */
export function notStaffMail(): { subject: string; text: string } {
  return {
    subject: 'Signing in to Vitrine administration',
    text: [
      'Somebody asked for a code to sign in to administration with this address.',
      'It is not on the staff, so there is no code. If it was not you, ignore this mail.',
    ].join('\n\n'),
  }
}

/** To the staff, when somebody has written to them. */
export function contactMail(
  { name, email, message }: { name: string; email: string; message: string },
  adminUrl: string,
): { subject: string; text: string } {
  return {
    subject: 'Somebody has written to Vitrine',
    text: [`From ${name} <${email}>:`, message, `Mark it as read at ${adminUrl}`].join('\n\n'),
  }
}

export function invitationMail(
  workspaceName: string,
  role: string,
  dashboardUrl: string,
): { subject: string; text: string } {
  return {
    subject: `You are invited to ${workspaceName}`,
    text: [
      `You are invited to join ${workspaceName} on Vitrine as ${role}.`,
      `Sign in with this address to accept or decline: ${dashboardUrl}`,
    ].join('\n\n'),
  }
}

/** The mail that carries a customer's sign-in code, in the language that fits them best. */
export function customerCodeMail(
  languages: string[],
  workspaceName: string,
  code: string,
): { subject: string; text: string } {
  const written = languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  const language = written.find((name): name is keyof typeof customerCodeTexts =>
    Object.hasOwn(customerCodeTexts, name),
  )
  return customerCodeTexts[language ?? 'en'](workspaceName, code)
}

const customerCodeTexts = {
  en: (workspaceName: string, code: string) => ({
    subject: `Your code for ${workspaceName}`,
    text: [
      `Your code to sign in to ${workspaceName}:`,
      `    ${code}`,
      'It is valid for 10 minutes and works once. If you did not ask for it, ignore this mail.',
    ].join('\n\n'),
  }),
  tr: (workspaceName: string, code: string) => ({
    subject: `${workspaceName} giriş kodunuz`,
    text: [
      `${workspaceName} sitesine giriş yapmak için kodunuz:`,
      `    ${code}`,
      'Kod 10 dakika geçerlidir ve bir kez kullanılır. Bu kodu siz istemediyseniz bu iletiyi dikkate almayın.',
    ].join('\n\n'),
  }),
}
