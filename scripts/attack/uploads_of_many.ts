import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import sharp from 'sharp'
import type { Database } from '../../src/db/schema.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'
import { newKey } from './new_key.ts'

const accounts = 12
/** What a lane admits of an account, and some more. */
const pictures = 36
const uploads = 14
let picture = ''

interface Owner {
  workspaceId: string
  apiKey: string
}

function givenOwner(db: Kysely<Database>, name: string): Promise<Owner> {
  return db.transaction().execute(async (trx) => {
    const account = await ensureAccount(trx, `${name}@example.com`, name)
    const shop = { name, subDomain: name, templateKey: 'minimal' } as const
    const { id } = await createWorkspace(trx, account.id, shop, new Date())
    return { workspaceId: id, apiKey: await newKey(trx, account.id) }
  })
}

function upload(
  scene: Scene,
  { workspaceId, apiKey }: Owner,
  file: { mimeType: string; base64: string },
  signal?: AbortSignal,
): Promise<number> {
  return statusOf(scene, `/v1/workspaces/${workspaceId}/media`, {
    method: 'POST',
    token: apiKey,
    body: JSON.stringify({ fileName: 'a', ...file }),
    headers: { 'Content-Type': 'application/json' },
    ...(signal ? { signal } : {}),
  })
}

/** Another account's pictures of a megapixel, one after the other, and how long each took. */
async function uploadInPeace(scene: Scene, owner: Owner): Promise<string | undefined> {
  const times: number[] = []
  for (let count = 0; count < scene.times(uploads); count++) {
    const background = { r: count, g: 90, b: 90 }
    const bytes = await sharp({ create: { width: 1000, height: 1000, channels: 3, background } })
      .jpeg()
      .toBuffer()
    const startedAt = performance.now()
    const file = { mimeType: 'image/jpeg', base64: bytes.toString('base64') }
    const status = await upload(scene, owner, file)
    if (status !== 200) return `an upload of another account was answered ${status}`
    times.push(performance.now() - startedAt)
  }
  const p90 = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.9) - 1]!
  if (p90 <= scene.uploadMilliseconds) return undefined
  return `uploads of another account took ${Math.round(p90)} ms`
}

export const picturesOfMany: Attack = {
  name: "many accounts' pictures",
  tried: `tiny files of 40 megapixels, ${pictures} at once of each of ${accounts} accounts`,
  async prepare() {
    const shape = { width: 8000, height: 5000, channels: 3, background: '#ace' } as const
    const bytes = await sharp({ create: shape }).avif({ effort: 0, quality: 1 }).toBuffer()
    picture = bytes.toString('base64')
  },
  async run(scene) {
    const names = Array.from({ length: scene.times(accounts) }, (_, index) => `pictures-${index}`)
    const attackers = await Promise.all(names.map((name) => givenOwner(scene.db, name)))
    const quiet = await givenOwner(scene.db, 'pictures-quiet')
    const leaving = new AbortController()
    // Each sender listens to it.
    setMaxListeners(0, leaving.signal)
    const statuses: number[] = []
    const keepSending = async (owner: Owner) => {
      while (!leaving.signal.aborted) {
        const file = { mimeType: 'image/avif', base64: picture }
        const status = await upload(scene, owner, file, leaving.signal)
        if (!leaving.signal.aborted) statuses.push(status)
        // As long as a refusal asks for, or the flood of calls would be measured instead.
        await delay(5000, undefined, { signal: leaving.signal }).catch(() => undefined)
      }
    }
    const senders = attackers.flatMap((owner) =>
      Array.from({ length: scene.times(pictures) }, () => keepSending(owner)),
    )
    const broken = await uploadInPeace(scene, quiet)
    leaving.abort()
    await Promise.all(senders)
    return { ...outcomeOf(statuses), sent: Math.max(statuses.length, senders.length), broken }
  },
}
