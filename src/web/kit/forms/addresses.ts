/** An address as people write it, such as instagram.com/ana, as a link. */
export function withScheme(address: string): string {
  const text = address.trim()
  return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
}
