import type english from './en/pages.json'

/** The languages of pages, mails and refusals, the default first. This is their only declaration. */
export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

/** Every text of the pages, by section and key. English has them all by definition. */
export type PageTexts = typeof english

/**
 * Loads the texts of the pages. Each language is a script of its own, so that a browser fetches the
 * reader's language only. A language that lacks a text does not compile.
 */
export const loadPageTexts: Record<Language, () => Promise<{ default: PageTexts }>> = {
  en: () => import('./en/pages.json', { with: { type: 'json' } }),
  tr: () => import('./tr/pages.json', { with: { type: 'json' } }),
}

/** Best supported match for BCP 47 tags, the preferred tag first. */
export function bestLanguage(tags: readonly string[]): Language {
  const primaries = tags.map((tag) => tag.toLowerCase().split('-')[0])
  const match = primaries.find((primary) => languages.some((language) => language === primary))
  return (match as Language | undefined) ?? languages[0]
}
