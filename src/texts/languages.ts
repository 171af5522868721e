/** The languages of pages, mails and refusals, the default first. This is their only declaration. */
export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

/** Best supported match for BCP 47 tags, the preferred tag first. */
export function bestLanguage(tags: readonly string[]): Language {
  const primaries = tags.map((tag) => tag.toLowerCase().split('-')[0])
  const match = primaries.find((primary) => languages.some((language) => language === primary))
  return (match as Language | undefined) ?? languages[0]
}
