import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { connect } from '../../../src/db/connect.ts'
import { call } from '../load.ts'
import type { Shop } from '../seed.ts'
import type { ServiceSide } from '../sides.ts'
import { asked } from './pages.ts'

/** What visitors of a shop notice while its owner uploads photos. */
export interface PictureFigures {
  pictures: number
  /** Milliseconds of each page, before and until every smaller file was made. */
  before: number[]
  during: number[]
  /** Seconds until then. */
  made: number
}

interface Parts {
  shop: Shop
  service: ServiceSide
  databaseUrl: string
}

/** Of a visitor's request to the next one's. */
const pauseMilliseconds = 20
const quietSeconds = 10
/** As many as one upload takes. */
const filesAtOnce = 12

export async function measurePictures(
  { shop, service, databaseUrl }: Parts,
  pictures: number,
): Promise<PictureFigures> {
  const connection = connect(databaseUrl, { max: 1, patient: true })
  const { db } = connection
  const folder = await mkdtemp(join(tmpdir(), 'photos-'))
  try {
    const files = await makePhotos(folder, pictures)
    const { subDomain } = await db
      .selectFrom('workspaces')
      .select('sub_domain as subDomain')
      .where('id', '=', shop.workspaceId)
      .executeTakeFirstOrThrow()
    const waiting = async () => {
      const { count } = await db
        .selectFrom('media')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspace_id', '=', shop.workspaceId)
        .where(sql<boolean>`ready_hash is distinct from content_hash`)
        .executeTakeFirstOrThrow()
      return count
    }
    const visit = visitor(service, subDomain)
    await visit(async () => delay(quietSeconds * 1000))
    const before = await visit(async () => delay(quietSeconds * 1000))
    const startedAt = performance.now()
    const during = await visit(async () => {
      for (let sent = 0; sent < pictures; sent += filesAtOnce)
        await upload(service, shop, files.slice(sent, sent + filesAtOnce))
      while ((await waiting()) > 0) await delay(200)
    })
    return { pictures, before, during, made: (performance.now() - startedAt) / 1000 }
  } finally {
    await connection.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Asks for the list of products again and again while the work runs; each time for a newer one, if there is one. */
function visitor(service: ServiceSide, subDomain: string) {
  const { host } = new URL(service.site.replace('127.0.0.1', 'localhost'))
  const headers = {
    Host: `${subDomain}.${host}`,
    'User-Agent': 'Mozilla/5.0 (bench)',
    'Accept-Encoding': 'br',
  }
  return async (work: () => Promise<void>): Promise<number[]> => {
    const times: number[] = []
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        const sentAt = performance.now()
        await call(service.site, '', asked('/products', headers))
        times.push(performance.now() - sentAt)
        await delay(pauseMilliseconds)
      }
    })()
    try {
      await work()
    } finally {
      isOver = true
      await asking
    }
    return times
  }
}

async function upload(service: ServiceSide, shop: Shop, files: string[]) {
  const form = new FormData()
  for (const file of files) form.append('files', await openAsBlob(file, jpeg), basename(file))
  const answer = await fetch(`${service.origin}/v1/workspaces/${shop.workspaceId}/media/upload`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shop.apiKey}` },
    body: form,
  })
  if (!answer.ok) throw new Error(`An upload was answered ${answer.status}: ${await answer.text()}`)
}

const jpeg = { type: 'image/jpeg' }
const size = { width: 4000, height: 3000 }

/** So many photos as files, before anything is measured. */
async function makePhotos(folder: string, pictures: number): Promise<string[]> {
  // Noise that is enlarged is neither flat nor noise to the last pixel, as photos are.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const small = { width: 500, height: 375, channels: 3, background: '#888', noise } as const
  const scene = await sharp({ create: small }).resize(size).raw().toBuffer()
  const files: string[] = []
  for (let number = 0; number < pictures; number++) {
    drawNumber(scene, number)
    const file = join(folder, `photo-${number}.jpg`)
    await sharp(scene, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: 85 })
      .toFile(file)
    files.push(file)
  }
  return files
}

/** Black and white squares in a corner: each is another photo, or its smaller files would be there. */
function drawNumber(scene: Buffer, number: number): void {
  const [bits, side] = [12, 16]
  for (let row = 0; row < side; row++)
    for (let bit = 0; bit < bits; bit++) {
      const start = 3 * (row * size.width + bit * side)
      scene.fill((number >> bit) % 2 === 1 ? 255 : 0, start, start + 3 * side)
    }
}
