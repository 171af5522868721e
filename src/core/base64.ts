/** The bytes of a base64 text. Buffer.from skips invalid characters, so require a round trip. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
