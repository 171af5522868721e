/**
 * The URL, or undefined. Not `URL.canParse`: in Node 20 it rejects URLs with a letter like ü once the
 * function has been optimised.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Second levels under which countries let people register: `example.com.tr`. */
const secondLevels = new Set(
  `ac av bbs bel biz co com edu gen go gov gob info k12 ltd me mil name ne net nom or org plc pol sch tel tv
  web`.split(/\s+/),
)

/**
 * The part of a host that is registered: its last two labels, or three where the country registers names at
 * the third level. Not the whole Public Suffix List, so all hosts of one provider (`a.pages.dev`) count as
 * one.
 */
export function registrableDomain(host: string): string {
  const labels = host.toLowerCase().split('.')
  const [country = '', second = ''] = labels.toReversed()
  const isDivided = country.length === 2 && secondLevels.has(second)
  return labels.slice(isDivided ? -3 : -2).join('.')
}
