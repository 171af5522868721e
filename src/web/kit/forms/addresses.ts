/** An address as people write it, such as instagram.com/ana, as a link. */
export function withScheme(address: string): string {
  const text = address.trim()
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
}

/** The lines of a text that say anything. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Origins, one on each line. An address copied from a browser ends with a slash. */
export function originsIn(text: string): string[] {
  return linesOf(text).map((line) => line.replace(/\/$/, ''))
}
