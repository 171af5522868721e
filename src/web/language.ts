import { fill, type TextValues } from '../texts/fill.ts'
import { bestLanguage, type Language, loadPageTexts, type PageTexts } from '../texts/languages.ts'
import { dateFormat, numberFormat } from './formats.ts'

type Section = keyof PageTexts
export type TextKey<S extends Section> = keyof PageTexts[S] & string

let current: Language = bestLanguage([])
let pageTexts: PageTexts | undefined
/** The language set last; its texts may still be loading. */
let latest: Language | undefined

export function language(): Language {
  return current
}

/** Text can only be rendered once this is true. */
export function hasTexts(): boolean {
  return pageTexts !== undefined
}

/**
 * Loads the texts of the best match for a BCP 47 tag. Callers must rerender afterwards. If loading
 * fails, the current language stays.
 */
export async function setLanguage(tag: string): Promise<void> {
  const next = bestLanguage([tag])
  latest = next
  const texts = await loadPageTexts[next]().catch(() => undefined)
  if (!texts || latest !== next) return
  pageTexts = texts.default
  current = next
  document.documentElement.lang = next
}

/** The texts of a section in the current language; an unknown key does not compile. */
export function texts<S extends Section>(section: S) {
  return (key: TextKey<S>, values?: TextValues): string =>
    fill(current, findText(section, key) ?? key, values)
}

/** Text for a key from the service; undefined if the service is newer than this page. */
export function findText(section: Section, key: string): string | undefined {
  const messages: Record<string, string> = pageTexts?.[section] ?? {}
  return Object.hasOwn(messages, key) ? messages[key] : undefined
}

/** The reader's own region of the language, such as en-GB: dates differ by it. */
export function regional(): string {
  const isCurrent = (tag: string) => tag.toLowerCase().split('-')[0] === current
  return navigator.languages.find(isCurrent) ?? current
}

export function formatNumber(value: number): string {
  return numberFormat(current, {}).format(value)
}

/** Date and time in the reader's time zone. */
export function formatTime(time: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return dateFormat(regional(), style).format(new Date(time))
}

export function formatDay(time: string): string {
  return dateFormat(regional(), { dateStyle: 'medium' }).format(new Date(time))
}

const wholeDay = { dateStyle: 'medium', timeZone: 'UTC' } as const

/** A whole day, such as 2026-01-05, as the reader writes it. */
export function formatDate(date: string): string {
  return dateFormat(regional(), wholeDay).format(new Date(date))
}

/** The month of a whole day. */
export function formatMonth(date: string): string {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return dateFormat(regional(), style).format(new Date(date))
}

/** The days of a week as the reader's region orders them, 1 for Monday. */
export function weekdays(): { number: number; short: string; long: string }[] {
  const { firstDay } = weekOf(new Intl.Locale(regional()))
  const nameOf = (number: number, weekday: 'short' | 'long') =>
    // The first of January 2024 was a Monday.
    dateFormat(regional(), { weekday, timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, number)))
  return Array.from({ length: 7 }, (_, at) => {
    const number = ((firstDay - 1 + at) % 7) + 1
    return { number, short: nameOf(number, 'short'), long: nameOf(number, 'long') }
  })
}

interface Week {
  firstDay: number
}

/** Not every browser knows it yet; then weeks begin on Mondays. */
function weekOf(locale: Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week }): Week {
  return locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }
}

/** Whole days, such as 2026-01-05, as the reader writes them. */
export function formatDays(from: string, to: string): string {
  return dateFormat(regional(), wholeDay).formatRange(new Date(from), new Date(to))
}

/** A part of a whole, in whole percent. */
export function formatShare(share: number): string {
  return numberFormat(current, { style: 'percent' }).format(share)
}

export function formatMoney(amount: number, currency: string): string {
  return numberFormat(current, { style: 'currency', currency }).format(amount)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatBytes(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const style = { style: 'unit', unit: units[power] ?? 'byte', maximumFractionDigits: 1 } as const
  return numberFormat(current, style).format(bytes / 1000 ** power)
}
