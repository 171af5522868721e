import type { Language } from './vocabulary.ts'

/** What the built-in model says in its own words. All else that it says is quoted. */
export interface Phrases {
  unknown: string
  greeting: string
  canAsk: string
  tags: string
  inStock: string
  outOfStock: string
  soldAt: string
  routine: string
  routineUnknown: string
  picturesUnread: string
  asLabelled: string
  faceSeen: string
}

export const phrases: Record<Language, Phrases> = {
  en: {
    unknown: 'I could not find an answer to this in the catalogue.',
    greeting: 'Ask me about this product or about the catalogue.',
    canAsk: 'You could ask:',
    tags: 'Tags:',
    inStock: 'In stock.',
    outOfStock: 'Out of stock.',
    soldAt: 'Sold at:',
    routine: 'Your routine, in the order of use:',
    routineUnknown: 'I could not find products for this in the catalogue.',
    picturesUnread: 'I went by what you wrote; I cannot read pictures.',
    asLabelled: 'Use it as its label says.',
    faceSeen: 'What the picture shows, described and not judged:',
  },
  tr: {
    unknown: 'Katalogda bu sorunun yanıtını bulamadım.',
    greeting: 'Bana bu ürün veya katalog hakkında soru sorabilirsiniz.',
    canAsk: 'Şunları sorabilirsiniz:',
    tags: 'Etiketler:',
    inStock: 'Stokta var.',
    outOfStock: 'Stokta yok.',
    soldAt: 'Satış yerleri:',
    routine: 'Kullanım sırasıyla rutininiz:',
    routineUnknown: 'Katalogda buna uygun ürün bulamadım.',
    picturesUnread: 'Yazdıklarınıza göre yanıtladım; resimleri okuyamıyorum.',
    asLabelled: 'Etiketinde yazdığı gibi kullanın.',
    faceSeen: 'Resimde görünenler, yargılamadan:',
  },
}
