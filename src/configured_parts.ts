import type { Kysely } from 'kysely'
import {
  altchaChallenge,
  type BotChallenge,
  remoteChallenge,
  type Spend,
} from './adapters/bot_challenge.ts'
import { createFaceDetector } from './adapters/face_detector.ts'
import { createLanguageModel } from './adapters/language_model.ts'
import { builtInPayments, type Payments, stripePayments } from './adapters/payments.ts'
import type { PublicFetchParts } from './adapters/public_fetch.ts'
import type { Database } from './db/schema.ts'
import type { AiModel } from './domain/assistant/ai_model.ts'
import { localModel } from './domain/assistant/built_in/local_model.ts'
import { remoteModel } from './domain/assistant/provider/remote_model.ts'
import { withStandIn } from './domain/assistant/stand_in.ts'
import type { ServiceConfig } from './operation.ts'
import { insertSpentChallenge } from './queries/site/spent_challenges.ts'

/* The parts of the service that its settings choose. */

export function publicFetchParts({ outboundProxy, baseUrl }: ServiceConfig): PublicFetchParts {
  const userAgent = `Vitrine (+${baseUrl})`
  return outboundProxy === undefined ? { userAgent } : { userAgent, proxy: new URL(outboundProxy) }
}

export function botChallengeOf(config: ServiceConfig, db: Kysely<Database>): BotChallenge {
  const { challenge } = config
  return challenge ? remoteChallenge(challenge, spendIn(db)) : ownChallengeOf(config, db)
}

export function ownChallengeOf({ secretKey }: ServiceConfig, db: Kysely<Database>): BotChallenge {
  return altchaChallenge(secretKey, spendIn(db))
}

function spendIn(db: Kysely<Database>): Spend {
  return (fingerprint, expiresAt) => insertSpentChallenge(db, fingerprint, expiresAt)
}

/** Stripe if configured, otherwise the built-in provider, which is for development only. */
export function openPayments(config: ServiceConfig, ownAddress: () => string): Payments {
  const { environment, stripe, dashboardUrl, webhookSecret } = config
  if (stripe) return stripePayments({ ...stripe, dashboardUrl })
  if (environment === 'production') throw new Error('Production takes real payments only.')
  const webhookUrl = () => `${ownAddress()}/webhooks/payments`
  return builtInPayments({ webhookSecret, dashboardUrl, webhookUrl })
}

/** Timeout for finding faces in one picture, including its wait in the queue. */
const faceSeconds = 60

export function openAiModel({ ai }: ServiceConfig): AiModel {
  const faces = createFaceDetector({ timeoutSeconds: faceSeconds })
  const builtIn = localModel(faces)
  return ai ? withStandIn(remoteModel(createLanguageModel(ai), faces), builtIn) : builtIn
}
