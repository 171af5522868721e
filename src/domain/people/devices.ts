/** What a person calls the browser that they sign in with; null where it does not say. */
export interface Device {
  browser: string | null
  system: string | null
}

/** Most browsers also name those they resemble: the more particular name comes first. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Browser and system by the names that people know, from what the browser sends. */
export function deviceOf(userAgent: string | undefined): Device {
  const nameIn = (names: typeof browsers) =>
    names.find(([, mark]) => mark.test(userAgent ?? ''))?.[0] ?? null
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
