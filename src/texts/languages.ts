import en from './en/service.json' with { type: 'json' }
import tr from './tr/service.json' with { type: 'json' }

/** The languages of pages, mails and refusals, the default first. This is their only declaration. */
export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage = languages[0]

export type ServiceTexts = typeof en

/** What the service says. A language that lacks a sentence of the default one does not compile. */
export const serviceTexts = { en, tr } satisfies Record<Language, ServiceTexts>

/** Best supported match for BCP 47 tags, the preferred tag first. */
export function bestLanguage(tags: readonly string[]): Language {
  const primaries = tags.map((tag) => tag.toLowerCase().split('-')[0])
  const match = primaries.find((primary) => languages.some((language) => language === primary))
  return (match as Language | undefined) ?? defaultLanguage
}
