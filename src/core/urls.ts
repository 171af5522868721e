/**
 * The URL, or undefined. `URL.canParse` cannot tell: Node 20 refuses any with a letter like ü once the
 * function has been optimised.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
