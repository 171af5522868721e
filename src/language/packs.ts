import { type Language, languages } from '../texts/languages.ts'
import type { LanguagePack } from './pack.ts'
import { english } from './packs/en/pack.ts'
import { turkish } from './packs/tr/pack.ts'

/** The packs. A language of the texts that has none does not compile. */
export const packOf: Readonly<Record<Language, LanguagePack>> = {
  en: english,
  tr: turkish,
}

export const packs: readonly LanguagePack[] = languages.map((language) => packOf[language])
