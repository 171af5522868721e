import type { Language } from './languages.ts'

/** Making one takes as long as drawing a fifth of a page. */
const formats = new Map<Language, { numbers: Intl.NumberFormat; plurals: Intl.PluralRules }>()

function formatsOf(language: Language) {
  const known = formats.get(language)
  if (known) return known
  const made = {
    numbers: new Intl.NumberFormat(language),
    plurals: new Intl.PluralRules(language),
  }
  formats.set(language, made)
  return made
}

export type TextValues = Readonly<Record<string, string | number>>

/**
 * Fills in a message: `{name}` is replaced, with numbers in the reader's format. A message with two
 * forms, `one product|{count} products`, uses the first for a count of one.
 */
export function fill(language: Language, message: string, values?: TextValues): string {
  if (values === undefined) return message
  return formFor(language, message, values).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return formatsOf(language).numbers.format(value)
    return value ?? placeholder
  })
}

function formFor(language: Language, message: string, { count }: TextValues): string {
  if (count === undefined) return message
  const [one = '', other = one] = message.split('|')
  return formatsOf(language).plurals.select(Number(count)) === 'one' ? one : other
}
