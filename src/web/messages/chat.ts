import type { Catalogue } from '../language.ts'

export const chat = {
  title: ['Try the chat', 'Sohbeti dene'],
  about: [
    'Ask the assistant as a guest of your site would.',
    'Asistana sitenizin bir misafiri gibi sorun.',
  ],
  realCredits: [
    'Answers are real and cost real credits of this workspace, as a visitor’s would. A key for one day is made for the trial and revoked when you leave.',
    'Yanıtlar gerçektir ve bir ziyaretçininki gibi bu çalışma alanının gerçek kredilerini harcar. Deneme için bir günlük anahtar oluşturulur ve çıkınca iptal edilir.',
  ],
  start: ['Start as a guest', 'Misafir olarak başla'],
  starting: ['Starting…', 'Başlatılıyor…'],
  keyName: ['Chat trial', 'Sohbet denemesi'],
  product: ['Product', 'Ürün'],
  level: ['Thinking', 'Düşünme'],
  'level.LOW': ['Fast, 1 credit', 'Hızlı, 1 kredi'],
  'level.MEDIUM': ['Thorough, 2 credits', 'Ayrıntılı, 2 kredi'],
  'level.HIGH': ['Deep, 4 credits', 'Derin, 4 kredi'],
  message: ['Your question', 'Sorunuz'],
  messageHint: [
    'Enter sends, Shift and Enter begin a new line.',
    'Enter gönderir, Shift ve Enter yeni satıra geçer.',
  ],
  send: ['Send', 'Gönder'],
  sending: ['Waiting for the answer…', 'Yanıt bekleniyor…'],
  you: ['You', 'Siz'],
  assistant: ['Assistant', 'Asistan'],
  cost: [
    '{count} credit used, {remaining} questions left today|{count} credits used, {remaining} questions left today',
    '{count} kredi harcandı, bugün {remaining} soru kaldı',
  ],
  noProducts: ['There is no active product to ask about.', 'Sorulacak etkin ürün yok.'],
  conversation: ['Conversation', 'Sohbet'],
} as const satisfies Catalogue
