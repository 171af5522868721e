import type english from './en/pages.json'
import en from './en/service.json' with { type: 'json' }
import tr from './tr/service.json' with { type: 'json' }

/** The languages of pages, mails and refusals, default first. The only declaration of them. */
export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage = languages[0]

/** All page texts, by section and key. English defines the complete set. */
export type PageTexts = typeof english

/**
 * Loads the page texts. Each language is a separate script, so that a browser fetches only the
 * reader's language. A language that lacks a text does not compile.
 */
export const loadPageTexts: Record<Language, () => Promise<{ default: PageTexts }>> = {
  en: () => import('./en/pages.json', { with: { type: 'json' } }),
  tr: () => import('./tr/pages.json', { with: { type: 'json' } }),
}

export type ServiceTexts = typeof en

/** The service's texts. A language that lacks a text of the default one does not compile. */
export const serviceTexts = { en, tr } satisfies Record<Language, ServiceTexts>

/** Best supported match for BCP 47 tags, the preferred tag first. */
export function bestLanguage(tags: readonly string[]): Language {
  const primaries = tags.map((tag) => tag.toLowerCase().split('-')[0])
  const match = primaries.find((primary) => languages.some((language) => language === primary))
  return (match as Language | undefined) ?? defaultLanguage
}
