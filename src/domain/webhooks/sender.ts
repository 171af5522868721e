import type { Kysely, Transaction } from 'kysely'
import { PublicFetchError } from '../../adapters/public_fetch.ts'
import type { WebhookPost } from '../../adapters/webhook_post.ts'
import type { Log } from '../../core/log.ts'
import { day, hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import {
  claimDelivery,
  type ClaimedDelivery,
  clearFailure,
  disableWebhook,
  finishDelivery,
  insertDeliveries,
  listDue,
  noteFailure,
} from '../../queries/webhooks/deliveries.ts'
import {
  listBehind,
  listHappenings,
  lockFollower,
  moveCursor,
  type WebhookPlace,
} from '../../queries/webhooks/following.ts'
import { mailDisabled } from './disabled_mail.ts'
import { messagesAbout, testType } from './messages.ts'
import { createPlaces } from './places.ts'
import { signedHeaders } from './secrets.ts'

export interface SenderParts {
  db: Kysely<Database>
  post: WebhookPost
  log: Log
  clock: () => Date
  config: { secretKey: string; dashboardUrl: string }
}

const pollMilliseconds = 5_000
/** Writes come in rows: one look for all of them. */
const kickMilliseconds = 200
/** Longer than an attempt may take. */
const leaseMilliseconds = 60_000
const pageSize = 500

/** The pause before another attempt is twice the time since the first failure, within these bounds. */
const pauseMilliseconds = { least: 5_000, most: 4 * hour }
/** How long a message is tried, and how long a receiver may fail. */
const retryMilliseconds = 3 * day

/**
 * Tells webhooks what happens: follows the change feed of their workspaces, and sends. Writers do
 * nothing for it. A webhook's messages are inserted in the transaction that moves its cursor, and a
 * claimed message has a lease, so each is sent at least once, and once unless a process ends midway.
 */
export function startWebhookSender(parts: SenderParts): Rounds {
  const { db, log, clock } = parts
  const places = createPlaces()
  let stopped = false
  let soon: NodeJS.Timeout | undefined

  /** The first retry is soon: it does not wait for the next look as well. */
  function lookAgainAt(next: Date | null): void {
    const pause = next === null ? Infinity : next.getTime() - clock().getTime()
    if (pause <= pauseMilliseconds.least) setTimeout(kick, pause).unref()
  }

  function kick(): void {
    if (soon || stopped) return
    soon = setTimeout(() => {
      soon = undefined
      rounds.kick()
    }, kickMilliseconds)
    soon.unref()
  }

  async function send(delivery: ClaimedDelivery, leave: (seconds: number) => void): Promise<void> {
    const began = performance.now()
    await deliver(parts, delivery)
      .then(lookAgainAt)
      // The lease expires and the message is due again.
      .catch((err: unknown) => log.error({ err, deliveryId: delivery.id }, outcomeLost))
      .finally(() => leave((performance.now() - began) / 1000))
  }

  /** Starts what is due and has a place; whether there was any. */
  async function sendDue(handOver: (work: Promise<void>) => void): Promise<boolean> {
    let found = false
    for (const place of await listDue(db, clock())) {
      for (;;) {
        const leave = stopped ? undefined : places.take(place)
        if (!leave) break
        const now = clock()
        const leaseEnd = new Date(now.getTime() + leaseMilliseconds)
        const delivery = await claimDelivery(db, place, { now, leaseEnd }).catch(
          // It stays due; the others do not wait for it.
          (err: unknown) => log.error({ err, webhookId: place.webhookId }, notClaimed),
        )
        if (!delivery) {
          leave(0)
          break
        }
        found = true
        handOver(send(delivery, leave))
      }
    }
    return found
  }

  const rounds = startRounds({
    everyMilliseconds: pollMilliseconds,
    onFailure: (err) => log.error({ err }, 'Webhooks could not be read.'),
    async look(handOver) {
      if (await followAll(parts)) rounds.kick()
      return sendDue(handOver)
    },
  })

  return {
    ...rounds,
    kick,
    async stop() {
      stopped = true
      clearTimeout(soon)
      await rounds.stop()
    },
  }
}

const notClaimed = 'A webhook could not be sent what is due.'
const outcomeLost = 'The outcome of a webhook delivery was not recorded.'

/** Turns what has happened into messages; whether there was any. One that fails holds up no other. */
async function followAll({ db, clock, log }: SenderParts): Promise<boolean> {
  let followed = false
  for (const place of await listBehind(db))
    try {
      const isFollowed = await db.transaction().execute((trx) => follow(trx, place, clock()))
      followed ||= isFollowed
    } catch (err) {
      log.error({ err, webhookId: place.webhookId }, 'A webhook could not follow what happens.')
    }
  return followed
}

/** A page of the feed for one webhook; false if another process follows it. */
async function follow(
  trx: Transaction<Database>,
  place: WebhookPlace,
  now: Date,
): Promise<boolean> {
  const webhook = await lockFollower(trx, place)
  if (!webhook) return false
  const { workspaceId } = place
  const happenings = await listHappenings(trx, workspaceId, webhook.cursor, pageSize)
  const messages = messagesAbout(workspaceId, happenings, webhook.events)
  await insertDeliveries(trx, place, messages, now)
  await moveCursor(trx, place, happenings.at(-1)?.number)
  return true
}

/** One attempt and its outcome; when the next one is due, if there is one. */
async function deliver(parts: SenderParts, delivery: ClaimedDelivery): Promise<Date | null> {
  const { db, clock, log } = parts
  const { status: responseStatus, error } = await attempt(parts, delivery)
  if (error === null) {
    await finishDelivery(db, delivery, {
      status: 'DELIVERED',
      responseStatus,
      error,
      nextAttemptAt: null,
    })
    if (delivery.type !== testType) await clearFailure(db, delivery)
    return null
  }
  const now = clock()
  const { retryUntil, next } = retriesOf(delivery, now)
  const isOver = delivery.type === testType || now >= retryUntil
  await db.transaction().execute(async (trx) => {
    // The webhook is locked before its delivery, as its deletion does, or the two could deadlock.
    const since = delivery.type === testType ? undefined : await noteFailure(trx, delivery, now)
    await finishDelivery(trx, delivery, {
      status: isOver ? 'FAILED' : 'PENDING',
      responseStatus,
      error,
      nextAttemptAt: isOver ? null : next,
      retryUntil,
    })
    if (since === undefined || now.getTime() - Date.parse(since) < retryMilliseconds) return
    await disableWebhook(trx, delivery, now)
    await mailDisabled(trx, parts.config.dashboardUrl, delivery)
    log.warn({ webhookId: delivery.webhookId }, 'A webhook has failed for 3 days and is disabled.')
  })
  return isOver ? null : next
}

/** When a message that has just failed is tried again, and until when. */
function retriesOf(delivery: ClaimedDelivery, now: Date): { retryUntil: Date; next: Date } {
  const { least, most } = pauseMilliseconds
  const until = delivery.retryUntil
    ? Date.parse(delivery.retryUntil)
    : now.getTime() + retryMilliseconds
  const failedFor = now.getTime() - (until - retryMilliseconds)
  const pause = Math.min(most, Math.max(least, 2 * failedFor))
  // The last attempt is at the very end.
  return {
    retryUntil: new Date(until),
    next: new Date(Math.min(now.getTime() + pause, until)),
  }
}

/** One attempt: the status of the answer, and why it does not count as delivered. */
async function attempt(
  { post, clock, config, log }: SenderParts,
  delivery: ClaimedDelivery,
): Promise<{ status: number | null; error: string | null }> {
  const { url, body } = delivery
  try {
    const headers = signedHeaders(config.secretKey, delivery, clock())
    const status = await post({ url, headers, body })
    return { status, error: faultOf(status) }
  } catch (error) {
    if (error instanceof PublicFetchError) return { status: null, error: error.message }
    log.error({ err: error, deliveryId: delivery.id }, 'A webhook delivery could not be made.')
    return { status: null, error: 'The message could not be signed or sent.' }
  }
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The host redirects (${status}), which is not followed.`
  return `The host answered ${status}.`
}
