import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { expectRightCounts } from '../catalogue/catalogue_counts.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { anImage } from '../every_operation/fixtures.ts'
import { multipart } from '../every_operation/resources.ts'
import { type HeldTransaction, holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { exchange, openConnection, type RawAnswer, type RawConnection } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'

let database: TestDatabase
let service: TestService
/** The server side of every opened connection. */
const sockets: Socket[] = []
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  service.app.api.server.on('connection', (socket) => sockets.push(socket))
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

/** A catalogue write, as bytes that can be cut anywhere. */
interface Write {
  operation: string
  head: string
  body: Buffer
  /** The answer to a retry after it was executed. */
  again: number
  /** Compares the answer with what can be read of every part of the write. */
  expectWhole(answer: never): Promise<void>
}

type Part = Pick<Write, 'operation' | 'again' | 'expectWhole'> & {
  line: string
  type?: string
  body?: Buffer
}

/** Gives the write its own API key, and one Idempotency-Key. */
async function writeOf(shop: Shop, part: Part): Promise<Write> {
  const { line, type = 'application/json', body = Buffer.alloc(0), ...rest } = part
  const { key } = await service.givenKey(shop.person)
  const lines = [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Idempotency-Key: once',
    ...(body.length > 0 ? [`Content-Type: ${type}`] : []),
    ...(body.length > 0 ? [`Content-Length: ${body.length}`] : []),
  ]
  return { ...rest, body, head: `${lines.join('\r\n')}\r\n\r\n` }
}

const json = (value: object) => Buffer.from(JSON.stringify(value))
const readAs = async (shop: Shop, path: string, answer: object) =>
  expect((await shop.api.get(shop.at(path))).body).toEqual(answer)

const writes: Record<string, (shop: Shop) => Promise<Write>> = {
  async create_product(shop) {
    const images = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const tags = [await givenTag(shop), await givenTag(shop)]
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
    const body = productBody({ imageIds: ids(images), tagIds: ids(tags) })
    return writeOf(shop, {
      operation: 'create_product',
      again: 200,
      body: json(body),
      line: `POST ${shop.at('products')}`,
      async expectWhole(answer: Awaited<ReturnType<typeof givenProduct>>) {
        expect(editable(answer)).toEqual(body)
        await readAs(shop, `products/${answer.id}`, answer)
        expect((await shop.api.get(shop.at('products'))).body.products).toEqual([answer])
      },
    })
  },

  async update_product(shop) {
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const product = await givenProduct(shop, { imageIds: [image.id], tagIds: [tag.id] })
    const [other, otherTag] = [await givenMediaRow(shop), await givenTag(shop)]
    const links = { imageIds: [other.id], tagIds: [otherTag.id] }
    const body = productBody({ status: 'INACTIVE', stock: 0, ...links })
    return writeOf(shop, {
      operation: 'update_product',
      again: 200,
      body: json(body),
      line: `PUT ${shop.at(`products/${product.id}`)}`,
      async expectWhole(answer: typeof product) {
        expect(editable(answer)).toEqual(body)
        await readAs(shop, `products/${product.id}`, answer)
      },
    })
  },

  async create_collection(shop) {
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const body = { name: 'Roses', description: 'Red', imageId: image.id, tagIds: [tag.id] }
    return writeOf(shop, {
      operation: 'create_collection',
      again: 200,
      body: json(body),
      line: `POST ${shop.at('collections')}`,
      async expectWhole(answer: Awaited<ReturnType<typeof givenCollection>>) {
        expect(answer).toMatchObject({ name: 'Roses', image: { id: image.id }, tags: [tag] })
        await readAs(shop, `collections/${answer.id}`, answer)
        expect((await shop.api.get(shop.at('collections'))).body.pagination.total).toBe(1)
      },
    })
  },

  async delete_media(shop) {
    const image = await givenMediaRow(shop)
    const product = await givenProduct(shop, { imageIds: [image.id] })
    const collection = await givenCollection(shop, { imageId: image.id })
    return writeOf(shop, {
      operation: 'delete_media',
      again: 404,
      line: `DELETE ${shop.at(`media/${image.id}`)}`,
      async expectWhole() {
        await readAs(shop, `media/${image.id}`, notFound('media'))
        const { body } = await shop.api.get(shop.at(`products/${product.id}`))
        expect(body.images).toEqual([])
        await readAs(shop, `collections/${collection.id}`, {
          ...collection,
          imageId: null,
          image: null,
        })
      },
    })
  },

  async complete_media_upload(shop) {
    const promise = { fileName: 'dot.png', mimeType: 'image/png', size: anImage().length }
    const { body: target } = await shop.api.post(shop.at('media/uploads')).send(promise)
    return writeOf(shop, {
      operation: 'complete_media_upload',
      again: 409,
      body: anImage(),
      type: 'image/png',
      line: `PUT ${new URL(String(target.url)).pathname}`,
      async expectWhole() {
        const { body } = await shop.api.get(shop.at('media'))
        expect(body.media).toMatchObject([{ fileName: 'dot.png', usageCount: 0 }])
        const { pathname } = new URL(String(body.media[0].url))
        expect((await fetch(service.urls.api + pathname)).status).toBe(200)
      },
    })
  },

  async upload_media_files(shop) {
    const part = (fileName: string) => ({ name: 'files', bytes: anImage(), fileName })
    const { headers, body } = multipart([part('one.png'), part('two.png')])
    return writeOf(shop, {
      operation: 'upload_media_files',
      again: 200,
      body,
      line: `POST ${shop.at('media/upload')}`,
      type: headers['Content-Type']!,
      async expectWhole({ media }: { media: { id: string; fileName: string; url: string }[] }) {
        expect(media.map(({ fileName }) => fileName)).toEqual(['one.png', 'two.png'])
        for (const one of media) {
          await readAs(shop, `media/${one.id}`, one)
          expect((await fetch(service.urls.api + new URL(one.url).pathname)).status).toBe(200)
        }
      },
    })
  },
}
const names = Object.keys(writes)

const catalogueTables = [
  'products',
  'product_slugs',
  'product_images',
  'product_tags',
  'collections',
  'collection_products',
  'collection_tags',
  'tags',
  'media',
]

/** Every row of a shop's catalogue, and its image counts. */
async function catalogueOf({ workspaceId }: Shop): Promise<unknown> {
  const rowsByTable: Record<string, unknown> = {}
  for (const table of catalogueTables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(table)} t
      where workspace_id = ${workspaceId} order by 1`.execute(service.db)
    rowsByTable[table] = rows.map(({ row }) => row)
  }
  return rowsByTable
}

/**
 * Locks all counters of a shop. A write reaches them when it has done everything else.
 */
async function holdCommit({ workspaceId }: Shop): Promise<HeldTransaction> {
  await sql`insert into catalogue_counters (workspace_id, slot)
    select ${workspaceId}, slot from generate_series(0, 63) slot on conflict do nothing
  `.execute(service.db)
  return holdTransaction(database.url, (trx) =>
    sql`select from catalogue_counters where workspace_id = ${workspaceId} for update`.execute(trx),
  )
}

/** Locks the tags of products. An update reaches them after values and images. */
function holdTags({ workspaceId }: Shop): Promise<HeldTransaction> {
  return holdTransaction(database.url, (trx) =>
    sql`select from product_tags where workspace_id = ${workspaceId} for update`.execute(trx),
  )
}

const untilBlocked = () => expect.poll(() => waitersOn(service)).toBe(1)

/** Resolves when the service has no statement or transaction left in the database. */
async function untilQuiet(): Promise<void> {
  const busy = async () =>
    (
      await service.connection.pool.query<{ busy: number }>(
        `select count(*) as busy from pg_stat_activity where datname = current_database()
          and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
      )
    ).rows[0]?.busy
  await expect.poll(busy).toBe(0)
}

async function begin(bytes: (string | Buffer)[]): Promise<RawConnection> {
  const connection = await openConnection(service.urls.api)
  for (const part of bytes) if (part.length > 0) connection.send(part)
  return connection
}

/** Resets a connection once the service has read everything, and waits until it has noticed. */
async function kill({ socket }: RawConnection, { operation }: Write): Promise<void> {
  const port = socket.localPort
  // An ended connection may have used the same port before.
  const bytesRead = () => sockets.findLast((each) => each.remotePort === port)?.bytesRead
  await expect.poll(bytesRead).toBe(socket.bytesWritten)
  const start = service.logged().length
  socket.resetAndDestroy()
  const lines = () =>
    service
      .logged()
      .slice(start)
      .filter((line) => line.aborted)
  await expect.poll(lines).toMatchObject([{ operation, aborted: true }])
  expect(lines()[0], 'nothing was answered').not.toHaveProperty('status')
}

function send({ head, body }: Write): Promise<RawAnswer> {
  return exchange(service.urls.api, Buffer.concat([Buffer.from(head), body]))
}

/** Retries a write that was not executed, in full; then once more. */
async function expectRetried(shop: Shop, write: Write): Promise<void> {
  const first = await send(write)
  expect(first.status).toBe(200)
  await write.expectWhole(JSON.parse(first.body) as never)
  await expectRightCounts(shop)
  const carriedOut = await catalogueOf(shop)
  const second = await send(write)
  expect(second.status).toBe(write.again)
  if (write.again === 200) expect(JSON.parse(second.body)).toEqual(JSON.parse(first.body))
  expect(await catalogueOf(shop)).toEqual(carriedOut)
}

describe('a client that is cut off within its body', () => {
  const places = {
    'before its first byte': () => 0,
    'after one byte': () => 1,
    'half-way': (length: number) => Math.floor(length / 2),
    'before its last byte': (length: number) => length - 1,
  }
  const cuts = names
    .filter((name) => name !== 'delete_media')
    .flatMap((name) => Object.entries(places).map(([place, at]) => ({ name, place, at })))

  test.each(cuts)('has written nothing: $name, $place', async ({ name, at }) => {
    const shop = await givenShop(service)
    const write = await writes[name]!(shop)
    const before = await catalogueOf(shop)
    const connection = await begin([write.head, write.body.subarray(0, at(write.body.length))])
    await kill(connection, write)
    await untilQuiet()
    expect(await catalogueOf(shop)).toEqual(before)
    await expectRightCounts(shop)
    await expectRetried(shop, write)
  })
})

describe('a client that is cut off before its answer', () => {
  test.each(names)('has written everything, once: %s', async (name) => {
    const shop = await givenShop(service)
    const write = await writes[name]!(shop)
    const before = await catalogueOf(shop)
    const holder = await holdCommit(shop)
    const connection = await begin([write.head, write.body])
    await untilBlocked()
    await kill(connection, write)
    expect(await catalogueOf(shop)).toEqual(before)
    await holder.commit()
    await untilQuiet()
    const after = await catalogueOf(shop)
    expect(after).not.toEqual(before)
    await expectRightCounts(shop)
    const answer = await send(write)
    expect(answer.status).toBe(write.again)
    await write.expectWhole(JSON.parse(answer.body) as never)
    expect(await catalogueOf(shop)).toEqual(after)
  })
})

describe('a write whose database connection is terminated', () => {
  const moments = [
    ...names.map((name) => ({ name, moment: 'at its commit', hold: holdCommit })),
    { name: 'update_product', moment: 'between its statements', hold: holdTags },
  ]

  test.each(moments)('is 503 and writes nothing: $name $moment', async ({ name, hold }) => {
    const shop = await givenShop(service)
    const write = await writes[name]!(shop)
    const before = await catalogueOf(shop)
    const holder = await hold(shop)
    const connection = await begin([write.head, write.body])
    await untilBlocked()
    await service.connection.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    const { status, headers, body } = await connection.answer()
    expect([status, headers['retry-after'], JSON.parse(body)]).toEqual([
      503,
      '5',
      {
        status: 503,
        code: 'unavailable',
        message: 'The service is not available right now. Try again shortly.',
      },
    ])
    connection.close()
    await holder.rollback()
    await untilQuiet()
    expect(await catalogueOf(shop)).toEqual(before)
    await expectRightCounts(shop)
    await expectRetried(shop, write)
  })
})
