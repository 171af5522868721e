import type { Catalogue } from '../language.ts'

export const contact = {
  about: [
    'The people who run this service read it and answer by mail.',
    'Hizmeti yürütenler okur ve e-postayla yanıtlar.',
  ],
  message: ['Message', 'İleti'],
  messageHint: ['At most {maxLength} characters.', 'En çok {maxLength} karakter.'],
  send: ['Send', 'Gönder'],
  sent: ['Your message has arrived.', 'İletiniz ulaştı.'],
  sentHint: [
    'You can write again once somebody has read it.',
    'Biri okuduktan sonra yeniden yazabilirsiniz.',
  ],
  pending: [
    'Your last message has not been read yet. You can write again once somebody has.',
    'Son iletiniz daha okunmadı. Okunduktan sonra yeniden yazabilirsiniz.',
  ],
  back: ['To the dashboard', 'Panele dön'],
} as const satisfies Catalogue
