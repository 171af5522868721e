/** The languages of the pages, in the order in which every message states them. */
export const languages = ['en', 'tr'] as const
export type Language = (typeof languages)[number]

/** One message in every language: a new language does not compile until each has it. */
export type Message = readonly [english: string, turkish: string]
export type Catalogue = Readonly<Record<string, Message>>

let current: Language = 'en'

export function language(): Language {
  return current
}

/** Takes the language nearest to a BCP 47 tag. The pages have to be drawn anew afterwards. */
export function setLanguage(tag: string): void {
  const primary = tag.toLowerCase().split('-')[0]
  current = languages.find((known) => known === primary) ?? 'en'
  document.documentElement.lang = current
}

type Values = Record<string, string | number>

/** The texts of one catalogue in the current language; a key that it lacks does not compile. */
export function texts<C extends Catalogue>(catalogue: C) {
  return (key: keyof C & string, values: Values = {}): string => {
    const message = catalogue[key]?.[languages.indexOf(current)] ?? key
    return fill(pluralised(message, values), values)
  }
}

/** `one product|{count} products`: the first form is for a count of one. */
function pluralised(message: string, { count }: Values): string {
  const [one = '', other = one] = message.split('|')
  if (count === undefined) return message
  return new Intl.PluralRules(current).select(Number(count)) === 'one' ? one : other
}

function fill(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    if (typeof value === 'number') return formatNumber(value)
    return value ?? placeholder
  })
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(current).format(value)
}

/** A day and a time of day, in the reader's own time zone. */
export function formatTime(time: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(current, style).format(new Date(time))
}

export function formatDay(time: string): string {
  return new Intl.DateTimeFormat(current, { dateStyle: 'medium' }).format(new Date(time))
}

export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(current, { style: 'currency', currency }).format(amount)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatBytes(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const style = { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(current, style).format(bytes / 1000 ** power)
}
