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
