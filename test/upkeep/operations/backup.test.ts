import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { diskMediaStore } from '../../../src/adapters/media_store.ts'
import { ownStore } from '../../../src/adapters/own_store.ts'
import {
  fileTarget,
  readBackupFile,
  readFromStore,
  storeTarget,
} from '../../../src/adapters/backup_places.ts'
import { connect, type Connection } from '../../../src/db/connect.ts'
import { backUp } from '../../../src/domain/upkeep/backup/backup.ts'
import { restore } from '../../../src/domain/upkeep/backup/restore.ts'
import { sweepMedia } from '../../../src/domain/media/media.ts'
import { forgetMadeFiles, queueForgotten } from '../../../src/queries/media/picture_queue.ts'
import { recount } from '../../../src/queries/upkeep/recount.ts'
import { getStoreStamp } from '../../../src/queries/upkeep/stamps.ts'
import { createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { startS3Server } from '../../kit/peers/s3_server.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media, product } from '../../media/media_owners.ts'
import { image } from '../../media/pictures.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = join(service.config.dataDir, 'media')
})
afterAll(() => service.close())

/** The media of a folder, as those of a database. */
const storeOf = (path: string, { db }: Pick<Connection, 'db'>) =>
  ownStore(diskMediaStore(path), async () => ({
    environment: 'development',
    stamp: await getStoreStamp(db),
  }))

/** Backs the service up; `meanwhile` runs when the rows have been read, before the first file. */
async function backup({
  meanwhile = () => Promise.resolve(),
  withMedia = true,
  keepDays = 14,
}: {
  meanwhile?: () => Promise<unknown>
  withMedia?: boolean
  keepDays?: number
} = {}) {
  const parts: Buffer[] = []
  let hasBegun = false
  const { db } = service
  const store = withMedia ? storeOf(folder, service.connection) : undefined
  const contents = await backUp(
    { db, store, environment: 'development', clock: () => new Date(), keepDays },
    async (bytes) => {
      parts.push(Buffer.from(bytes))
      if (hasBegun) return
      hasBegun = true
      await meanwhile()
    },
  )
  return { contents, bytes: Buffer.concat(parts) }
}

const keysIn = async (path: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of diskMediaStore(path).list()) keys.push(key)
  return keys.sort()
}
/** The number of pictures that were uploaded. The files made of them come in the background. */
const filesIn = async (path: string): Promise<number> =>
  (await keysIn(path)).filter((key) => !key.includes('-')).length

const later = () => new Date(Date.now() + 2 * 3600_000)

describe('a backup that is restored', () => {
  let database: TestDatabase
  let connection: Connection
  let restored: string
  beforeAll(async () => {
    database = await createEmptyDatabase()
    connection = connect(database.url, { max: 2, patient: true })
    restored = mkdtempSync(join(inject('scratchFolder'), 'restored-'))
  })
  afterAll(async () => {
    await connection.close()
    await database.drop()
  })

  test('has every file of its rows, whatever was deleted and replaced while it was written', async () => {
    const owner = await givenMediaOwner(service)
    const [first, second, third] = [
      await owner.givenMedia(),
      await owner.givenMedia(),
      await owner.givenMedia(),
    ]
    const listed = (await owner.api.post(`${owner.root}/products`).send(product([first.id]))).body
    const { contents, bytes } = await backup({
      meanwhile: async () => {
        await owner.api.delete(`${owner.path}/${first.id}`).expect(200)
        await owner.replace(second.id, await image()).expect(200)
        await owner.givenMedia()
      },
    })
    expect(contents).toMatchObject({ files: 3, missing: [] })
    // What only the backup needed goes with the next sweep: two pictures and one that is kept stay.
    expect(await filesIn(folder)).toBe(5)
    await sweepMedia(service.db, diskMediaStore(folder), later)
    expect(await filesIn(folder)).toBe(4)

    const store = storeOf(restored, connection)
    const parts = { db: connection.db, store, environment: 'development' as const }
    const result = await restore(parts, Readable.from([bytes]))
    expect(result.rows).toMatchObject({ media: 3, products: 1, workspaces: 1 })
    expect(await recount(connection.db, () => undefined, { isTrial: true })).toBe(0)

    const twin = await startService({
      databaseUrl: database.url,
      mediaStore: storeOf(restored, connection),
    })
    try {
      const api = twin.api(owner.key)
      const { body } = await api.get(`${owner.root}/products/${listed.id as string}`).expect(200)
      expect(body).toEqual(listed)
      for (const media of [first, second, third] as Media[]) {
        const { response, bytes: served } = await fetchMedia(twin, media)
        expect([response.status, served.length > 0]).toEqual([200, true])
      }
      await api.post(owner.path).send({
        fileName: 'new.png',
        mimeType: 'image/png',
        base64: (await image()).toString('base64'),
      })
    } finally {
      await twin.close()
    }
  })

  test('is another database: it refuses the media of the one it comes from', async () => {
    await storeOf(folder, service.connection).verify()
    await expect(storeOf(folder, connection).verify()).rejects.toThrow(
      'belongs to another database',
    )
    const { bytes } = await backup()
    const parts = { db: connection.db, environment: 'development' as const }
    const store = storeOf(restored, connection)
    await expect(restore({ ...parts, store }, Readable.from([bytes]))).rejects.toThrow(
      'The database is not empty',
    )
  })

  test('is refused if it is cut short, damaged, or of another environment', async () => {
    const empty = await createEmptyDatabase()
    const own = connect(empty.url, { max: 2, patient: true })
    const path = mkdtempSync(join(inject('scratchFolder'), 'refused-'))
    const { bytes } = await backup()
    const attempt = (archive: Buffer, environment: 'development' | 'production' = 'development') =>
      restore({ db: own.db, store: storeOf(path, own), environment }, Readable.from([archive]))
    try {
      await expect(attempt(bytes, 'production')).rejects.toThrow(
        'a backup of a development service',
      )
      await expect(attempt(bytes.subarray(0, bytes.indexOf('media/')))).rejects.toThrow(
        'ends before its end',
      )
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from accounts`.execute(own.db)
      expect(rows).toEqual([{ count: 0 }])
      const damaged = Buffer.from(bytes)
      const at = damaged.lastIndexOf('IEND')
      damaged[at] = 0
      await expect(attempt(damaged)).rejects.toThrow('is damaged')
    } finally {
      await own.close()
      await empty.drop()
    }
  })
})

describe('the pictures of a backup that is restored', () => {
  test('get their smaller files and those for messengers again', async () => {
    const owner = await givenMediaOwner(service)
    const raw = { width: 400, height: 300, channels: 3 } as const
    const photo = await sharp(randomBytes(400 * 300 * 3), { raw })
      .jpeg()
      .toBuffer()
    const asJpeg = { fileName: 'photo.jpg', mimeType: 'image/jpeg' }
    await owner.upload(photo, asJpeg).expect(200)
    await owner.givenMedia()
    await service.app.pictures.flush()
    const ownKeys = async (path: string) =>
      (await keysIn(path)).filter((key) => key.startsWith(owner.workspace.id))
    const before = await ownKeys(folder)
    // Two pictures, two for messengers, and of the wide one two in WebP and one in AVIF.
    expect(before).toHaveLength(7)

    const database = await createEmptyDatabase()
    const connection = connect(database.url, { max: 2, patient: true })
    const path = mkdtempSync(join(inject('scratchFolder'), 'pictures-'))
    const store = storeOf(path, connection)
    const { bytes } = await backup()
    try {
      const parts = { db: connection.db, store, environment: 'development' as const }
      await restore(parts, Readable.from([bytes]))
      const originals = before.filter((key) => !key.includes('-'))
      expect(await ownKeys(path)).toEqual(originals)
      const twin = await startService({ databaseUrl: database.url, mediaStore: store })
      await queueForgotten(twin.db, twin.now())
      await twin.app.pictures.flush()
      expect(await ownKeys(path)).toEqual(before)
      await twin.close()
    } finally {
      await connection.close()
      await database.drop()
    }
  })

  test('are known to lack them, also in a backup of a build that made no files', async () => {
    const database = await createEmptyDatabase()
    const connection = connect(database.url, { max: 1, patient: true })
    const { db } = connection
    try {
      await sql`create table media (id text, variants smallint)`.execute(db)
      await sql`insert into media values ('a', 0), ('b', 1), ('c', 2)`.execute(db)
      for (const columns of [[], [{ name: 'id' }], [{ name: 'id' }, { name: 'variants' }]])
        await db.transaction().execute((trx) => forgetMadeFiles(trx, columns))
      const { rows } = await sql`select id, variants from media order by id`.execute(db)
      expect(rows).toEqual([
        { id: 'a', variants: 0 },
        { id: 'b', variants: 0 },
        { id: 'c', variants: 2 },
      ])
    } finally {
      await connection.close()
      await database.drop()
    }
  })
})

describe('a backup without media', () => {
  test('keeps the files that it needs in the store, for as long as it says', async () => {
    const owner = await givenMediaOwner(service)
    const [needed, later1] = [await owner.givenMedia(), await image()]
    await backup({ withMedia: false, keepDays: 3 })
    const before = await filesIn(folder)
    await owner.api.delete(`${owner.path}/${needed.id}`).expect(200)
    await sweepMedia(service.db, diskMediaStore(folder), later)
    expect(await filesIn(folder)).toBe(before)
    expect((await fetchMedia(service, needed)).response.status).toBe(404)

    // What came and went after it is held only as long as it might have been in it.
    const { body } = await owner.upload(later1)
    await owner.api.delete(`${owner.path}/${(body as Media).id}`).expect(200)

    await sql`update backups set needed_until = now()`.execute(service.db)
    await sweepMedia(service.db, diskMediaStore(folder), later)
    expect(await filesIn(folder)).toBe(before - 1)
  })
})

test('a database that was copied gets a stamp of its own', async () => {
  const stamp = await getStoreStamp(service.db)
  expect(await getStoreStamp(service.db)).toBe(stamp)
  await sql`update service_stamps set value = 'elsewhere/1' where name = 'database'`.execute(
    service.db,
  )
  const own = await getStoreStamp(service.db)
  expect(own).not.toBe(stamp)
  await sql`update service_stamps set value = ${stamp} where name = 'media_store'`.execute(
    service.db,
  )
})

describe('a place for backups', () => {
  const bytes = Buffer.alloc(20 * 1024 * 1024, 'some bytes ')
  const read = async (source: AsyncIterable<Buffer>) =>
    Buffer.concat((await Readable.from(source).toArray()) as Buffer[])

  test('is a file, which appears when it is whole', async () => {
    const path = join(mkdtempSync(join(inject('scratchFolder'), 'backup-')), 'night.tar')
    const abandoned = await fileTarget(path)
    await abandoned.write(bytes)
    expect(() => readFileSync(path)).toThrow('ENOENT')
    await abandoned.abandon()
    expect(() => readFileSync(`${path}.part`)).toThrow('ENOENT')
    const target = await fileTarget(path)
    await target.write(bytes)
    await target.finish()
    expect((await read(readBackupFile(path))).equals(bytes)).toBe(true)
  })

  test('is a bucket, which gets it in parts', async () => {
    const server = await startS3Server()
    try {
      const place = { bucket: server.settings.bucket, key: 'backups/night.tar' }
      const abandoned = await storeTarget(server.settings, place)
      await abandoned.write(bytes)
      await abandoned.abandon()
      expect(server.objects.size).toBe(0)
      const target = await storeTarget(server.settings, place)
      for (let at = 0; at < bytes.length; at += 1024 * 1024)
        await target.write(bytes.subarray(at, at + 1024 * 1024))
      await target.finish()
      expect((await read(await readFromStore(server.settings, place))).equals(bytes)).toBe(true)
    } finally {
      await server.close()
    }
  })
})
