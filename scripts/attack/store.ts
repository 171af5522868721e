import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { insertMedia } from '../../src/queries/media/media.ts'
import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'

function insertImage({ db, attacker }: Scene): Promise<string> {
  const contentHash = randomBytes(32).toString('hex')
  const media = {
    fileName: 'a.png',
    mimeType: 'image/png',
    extension: 'png',
    sizeBytes: 68,
    contentHash,
    width: 1,
    height: 1,
    variants: 2,
    readyHash: contentHash,
  } as const
  return db
    .transaction()
    .execute((trx) => insertMedia(trx, attacker.workspaceId, media, new Date()))
}

export const hangingStore: Attack = {
  name: 'hanging store',
  tried: '40 deletions of pictures while the store does not answer',
  async run(scene) {
    const { attacker, store } = scene
    const ids: string[] = []
    for (let count = 0; count < scene.times(40); count++) ids.push(await insertImage(scene))
    store.hang()
    try {
      const deletions = ids.map((id) =>
        statusOf(scene, `/v1/workspaces/${attacker.workspaceId}/media/${id}`, {
          method: 'DELETE',
          token: attacker.apiKey,
        }),
      )
      await delay(scene.times(8) * 1000)
      store.resume()
      return outcomeOf(await Promise.all(deletions))
    } finally {
      store.resume()
    }
  },
}
