import { limits, parameterLimits } from '../generated/limits.ts'

const tag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
const longestTag = limits.Language.maxLength
const longestHeader = parameterLimits.AcceptLanguage.maxLength

/** The language tags of an `Accept-Language` header, the best first; what is no tag is left out. */
export function preferredLanguages(header: string): string[] {
  const weighed = header
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
      return { name, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ name, quality }) => tag.test(name) && name.length <= longestTag && quality > 0)
  return weighed.sort((a, b) => b.quality - a.quality).map(({ name }) => name)
}
