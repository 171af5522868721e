import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { image } from './pictures.ts'

const mounted: string[] = []

/** A disk of 256 KiB; undefined where the system lets us make none. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
    mounted.push(folder)
    return folder
  } catch {
    return undefined
  }
}

/** A picture of about 480 kB, which no encoder makes smaller. */
function largePicture(): Promise<Buffer> {
  const raw = { width: 400, height: 400, channels: 3 } as const
  return sharp(randomBytes(480_000), { raw }).png().toBuffer()
}

const disk = smallDisk()

describe.runIf(disk !== undefined)('a full disk', () => {
  let service: TestService
  let shop: Shop
  beforeAll(async () => {
    service = await startService({
      mediaStore: diskMediaStore(join(disk!, 'media')),
      // Files of uploads are written here before they are stored.
      env: { DATA_DIR: disk! },
    })
    shop = await givenShop(service)
  })
  afterAll(async () => {
    await service.close()
    for (const folder of mounted) execFileSync('umount', [folder])
  })

  const upload = (bytes: Buffer) =>
    shop.api
      .post(shop.at('media'))
      .send({ fileName: 'a.png', mimeType: 'image/png', base64: bytes.toString('base64') })
  const refusal = { status: 503, code: 'unavailable' }

  test('of the store refuses with 503, leaves nothing behind and takes what fits', async () => {
    const { body, headers } = await upload(await largePicture()).expect(503)
    expect(body).toMatchObject({
      ...refusal,
      message: 'The store of the pictures does not answer right now. Try again shortly.',
    })
    expect(headers['retry-after']).toBe('5')
    expect(readdirSync(join(disk!, 'media', 'unfinished'))).toEqual([])
    await service.api().get('/readyz').expect(200)
    await upload(await image()).expect(200)
  })

  test('refuses a file with 503 while it arrives', async () => {
    const { body } = await shop.api
      .post(shop.at('media/upload'))
      .attach('files', await largePicture(), { filename: 'a.png', contentType: 'image/png' })
      .expect(503)
    expect(body).toMatchObject({
      ...refusal,
      message: 'The service is not available right now. Try again shortly.',
    })
    await expect.poll(() => readdirSync(join(disk!, 'uploads'))).toEqual([])
  })
})
