import type { LanguagePack } from '../../pack.ts'
import { certainty } from './certainty.ts'
import { demands } from './demands.ts'
import { faces } from './faces.ts'
import { forms } from './forms.ts'
import { lexicon } from './lexicon.ts'
import { needs } from './needs.ts'
import { planted, products } from './products.ts'
import { numbers, quantities } from './quantities.ts'
import { questions } from './questions.ts'
import { routines } from './routines.ts'
import { smallWords } from './small_words.ts'

export const turkish: LanguagePack = {
  smallWords,
  forms,
  lexicon,
  questions,
  numbers,
  quantities,
  demands,
  needs,
  products,
  planted,
  impostors: `destek, guvenlik, resmi, fatura, odeme, iade, yardim, dogrulama, hesap, sifre, giris, yonetici,
    banka, musteri hizmet, cagri merkez`,
  routines,
  faces,
  certainty,
}
