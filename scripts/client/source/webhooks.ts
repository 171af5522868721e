const tolerance = 300

/**
 * Verifies a message of a webhook, as Standard Webhooks describe it, and returns what it says. Give the
 * body as it came: a parsed and printed one is another text.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | undefined>,
  body: string,
  now = Date.now(),
): Promise<unknown> {
  const read = (name: string) =>
    headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name]
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read)
  if (!id || !time || !signatures) throw new Error('The headers of a webhook are missing.')
  if (!(Math.abs(now / 1000 - Number(time)) <= tolerance))
    throw new Error('The message is too old, or from the future.')
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (letter) =>
    letter.charCodeAt(0),
  )
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`)
  for (const each of signatures.split(' ')) {
    const [version, signature = ''] = each.split(',')
    if (version !== 'v1') continue
    const given = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0))
    if (await crypto.subtle.verify('HMAC', key, given, signed)) return JSON.parse(body) as unknown
  }
  throw new Error('No signature fits.')
}
