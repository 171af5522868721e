import type { Language } from './languages.ts'

export type Values = Readonly<Record<string, string | number>>

/**
 * Fills in a message: `{name}` is replaced, with numbers in the reader's format. A message with two
 * forms, `one product|{count} products`, uses the first for a count of one.
 */
export function fill(language: Language, message: string, values: Values = {}): string {
  return formFor(language, message, values).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return new Intl.NumberFormat(language).format(value)
    return value ?? placeholder
  })
}

function formFor(language: Language, message: string, { count }: Values): string {
  if (count === undefined) return message
  const [one = '', other = one] = message.split('|')
  return new Intl.PluralRules(language).select(Number(count)) === 'one' ? one : other
}
