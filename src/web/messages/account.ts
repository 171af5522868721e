import type { Catalogue } from '../language.ts'

export const account = {
  title: ['Account', 'Hesap'],
  about: ['You, in every workspace.', 'Her çalışma alanında siz.'],
  name: ['Name', 'Ad'],
  phone: ['Phone', 'Telefon'],
  phoneHint: ['With the country code, as in +905551234567.', 'Ülke koduyla, +905551234567 gibi.'],
  language: ['Language', 'Dil'],
  languageHint: ['The language of these pages.', 'Bu sayfaların dili.'],
  emailTitle: ['Email address', 'E-posta adresi'],
  emailHint: [
    'You sign in with {email}. A new address is confirmed with a code that we mail to it.',
    '{email} ile giriş yapıyorsunuz. Yeni adres, ona gönderdiğimiz kodla doğrulanır.',
  ],
  newEmail: ['New email address', 'Yeni e-posta adresi'],
  sendCode: ['Send a code', 'Kod gönder'],
  codeSent: ['A code was sent to {email}.', '{email} adresine kod gönderildi.'],
  code: ['Code', 'Kod'],
  changeEmail: ['Change address', 'Adresi değiştir'],
  changed: ['The address is changed.', 'Adres değiştirildi.'],
} as const satisfies Catalogue
