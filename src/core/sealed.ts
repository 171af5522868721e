import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/*
 * Secrets that must be used again are stored sealed (AES-256-GCM) with a key derived from the service's
 * own, so a copy of the database alone does not reveal them. `owner` is the row: a sealed secret does not
 * open in another row.
 */
const [ivBytes, tagBytes] = [12, 16]

function keyOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'vitrine sealed secrets', 32))
}

export function seal(secretKey: string, owner: string, secret: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Throws if it was sealed with another key, or for another row. */
export function unseal(secretKey: string, owner: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), iv)
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  const opened = decipher.update(sealed.subarray(ivBytes + tagBytes))
  return Buffer.concat([opened, decipher.final()]).toString('utf8')
}
