import { limits, parameterLimits } from '../generated/limits.ts'
import { bestLanguage, type Language } from '../texts/languages.ts'

const tag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
const maxTagLength = limits.Language.maxLength
const maxHeaderLength = parameterLimits.AcceptLanguage.maxLength

/** The best supported language for an `Accept-Language` header. */
export function languageOf(header: string | string[] | undefined): Language {
  return bestLanguage(typeof header === 'string' ? preferredLanguages(header) : [])
}

/** The language tags of an `Accept-Language` header, best first; invalid ones are skipped. */
export function preferredLanguages(header: string): string[] {
  const weighted = header
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
      return { name, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ name, quality }) => tag.test(name) && name.length <= maxTagLength && quality > 0)
  return weighted.sort((a, b) => b.quality - a.quality).map(({ name }) => name)
}
