import { preferredLanguages } from '../../core/languages.ts'

/** The languages of the pages that work without a script, in the order of every message. */
const languages = ['en', 'tr'] as const
export type PageLanguage = (typeof languages)[number]

/** One message in every language: a new language does not compile until each has it. */
export type PageText = readonly [english: string, turkish: string]

/** The language nearest to the best tag of somebody's wishes that we have. */
export function pageLanguage(wishes: readonly string[]): PageLanguage {
  const wished = wishes.map((tag) => tag.toLowerCase().split('-')[0])
  return languages.find((known) => known === wished.find(isKnown)) ?? 'en'
}

function isKnown(primary: string | undefined): boolean {
  return languages.some((known) => known === primary)
}

/** What a browser says that its person reads. */
export function languageOf(header: string | undefined): PageLanguage {
  return pageLanguage(preferredLanguages(header ?? ''))
}

/** Says a message in a language, with its values filled in. */
export function say(
  language: PageLanguage,
  text: PageText,
  values: Record<string, string> = {},
): string {
  const message = text[languages.indexOf(language)] ?? text[0]
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
