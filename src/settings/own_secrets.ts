import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

interface Secrets {
  secretKey: string
  webhookSecret: string
}

/** Fills in missing secrets: in development they are generated once and kept. */
export function withSecrets(config: Config): Config & Secrets {
  const { dataDir, secretKey, stripe } = config
  return {
    ...config,
    secretKey: secretKey ?? ownSecret(dataDir, 'secret_key'),
    webhookSecret: stripe?.webhookSecret ?? ownSecret(dataDir, 'webhook_secret', 'whsec_'),
  }
}

/** Development only: a secret generated once, so that its signatures survive a restart. */
function ownSecret(dataDir: string, name: string, prefix = ''): string {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) {
    // Linked into place: if two processes start at once, one creates it and both read the same.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, prefix + randomBytes(48).toString('base64url'), { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    unlinkSync(draft)
  }
  const secret = readFileSync(file, 'utf8')
  if (secret.length < 32) throw new Error(`${file} is damaged. Remove it and start again.`)
  return secret
}
