import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { seal, unseal } from '../../core/sealed.ts'

/** A new secret in the form of Standard Webhooks, as it is shown and as it is stored. */
export function newWebhookSecret(
  secretKey: string,
  webhookId: string,
): { shown: string; sealed: Buffer } {
  const shown = `whsec_${randomBytes(32).toString('base64')}`
  return { shown, sealed: seal(secretKey, webhookId, shown) }
}

/** The headers of a message: its id, the time of this attempt, and a signature by every secret. */
export function signedHeaders(
  secretKey: string,
  { id, webhookId, body, secrets }: MessageToSign,
  now: Date,
): Record<string, string> {
  const signatures = secrets.map((sealed) =>
    new Webhook(unseal(secretKey, webhookId, sealed)).sign(id, now, body),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

interface MessageToSign {
  id: string
  webhookId: string
  body: string
  secrets: Buffer[]
}
