/** Pack shapes in pictures. */
export type PackageForm =
  | 'bottle'
  | 'pump'
  | 'dropper'
  | 'jar'
  | 'tube'
  | 'bar'
  | 'stick'
  | 'compact'
  | 'wand'
  | 'box'

export const tags = [
  'Vegan',
  'Parfümsüz',
  'Hassas cilt',
  'Kuru cilt',
  'Yağlı cilt',
  'Nemlendirici',
  'Güneş koruması',
  'Doğal içerik',
  'Yerli üretim',
  'Çok satan',
  'Yeni',
  'Hediye',
]
export type TagName = (typeof tags)[number]

/** Shared by all products of a kind: the pack, and instructions in both languages. */
export const kinds = {
  toner: ['bottle', 'Pamukla temiz cilde sürün.', 'Apply to clean skin with a cotton pad.'],
  cream: ['jar', 'Sabah ve akşam temiz cilde sürün.', 'Apply to clean skin, morning and evening.'],
  serum: ['dropper', 'Kremden önce 3-4 damla sürün.', 'Apply 3 to 4 drops before your cream.'],
  mask: [
    'jar',
    'Haftada bir, 10 dakika bekletip durulayın.',
    'Once a week, rinse after 10 minutes.',
  ],
  balm: ['jar', 'Gün içinde dilediğiniz kadar sürün.', 'Apply as often as you like.'],
  wash: ['pump', 'Islak cilde köpürtüp durulayın.', 'Lather on wet skin and rinse.'],
  sun: ['tube', 'İki saatte bir yenileyin.', 'Apply generously and again every two hours.'],
  lotion: ['pump', 'Duştan sonra masajla yedirin.', 'Massage in after the shower.'],
  soap: ['bar', 'Islak elde köpürtün, kuru yerde saklayın.', 'Lather in wet hands, keep it dry.'],
  hand: ['tube', 'Ellerinize yedirin.', 'Massage into your hands.'],
  scrub: ['jar', 'Haftada iki kez dairesel hareketlerle.', 'Twice a week, in circles, then rinse.'],
  shampoo: ['bottle', 'Islak saça köpürtüp durulayın.', 'Lather on wet hair and rinse.'],
  conditioner: ['bottle', 'İki dakika bekletip durulayın.', 'Leave in for two minutes and rinse.'],
  hairmask: ['jar', 'Haftada bir, 15 dakika bekletin.', 'Once a week for 15 minutes.'],
  hairoil: ['dropper', 'Nemli saç uçlarına sürün.', 'Work into the damp ends of the hair.'],
  hairtonic: ['pump', 'Saç diplerine sıkın, durulamayın.', 'Spray on the roots and leave in.'],
  lipstick: ['stick', 'Dudağın ortasından dışa sürün.', 'Apply from the middle outwards.'],
  powder: ['compact', 'Fırçayla ince bir kat sürün.', 'Apply a thin layer with a brush.'],
  mascara: ['wand', 'Kirpik dibinden uca tarayın.', 'Comb from the roots to the tips.'],
  foundation: ['pump', 'Parmak ucu veya süngerle yayın.', 'Blend with fingertips or a sponge.'],
  set: ['box', 'Her ürünün etiketindeki gibi kullanın.', 'Use each as its label says.'],
} satisfies Record<string, [form: PackageForm, turkish: string, english: string]>
export type Kind = keyof typeof kinds
