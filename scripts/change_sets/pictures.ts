// npm run sets:pictures [-- products]
//
// How long an import takes whose products (5,000 by default) have a picture each, at a URL of its own,
// with one key at the default limits. The service runs in this process, because only so can it reach a
// host on loopback; the pictures are JPEG of 900 × 900.
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import sharp from 'sharp'
import { handlers } from '../../handlers/index.ts'
import { outboxFolderMailer } from '../../src/adapters/mailer.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/core/log.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readDemo, seedDemo } from '../../src/demo/demo.ts'
import { readConfig } from '../../src/settings/config.ts'
import { startMetadataHost } from '../../test/kit/peers/metadata_host.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { shopAt } from './shop.ts'

const products = Number(process.argv[2] ?? 5_000)
const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
const config = {
  ...readConfig({ DATA_DIR: dataDir }),
  secretKey: 'a secret of the pictures, long enough',
  webhookSecret: 'whsec_of_the_pictures',
}
const connection = connect(postgres.url, { baseUrl: config.baseUrl })
const { db } = connection
const host = await startMetadataHost(['images.example.com'])
const mediaStore = diskMediaStore(join(dataDir, 'media'))
await migrate(db as unknown as Kysely<unknown>, config)
const app = await createApp({
  config,
  connection,
  log: createLog('error'),
  mailer: outboxFolderMailer(join(dataDir, 'outbox')),
  mediaStore,
  handlers,
  publicDownload: createPublicDownload(host.fetchParts),
})

async function picture(index: number): Promise<Buffer> {
  const background = { r: index % 256, g: (index >> 8) * 10, b: 120 }
  return sharp({ create: { width: 900, height: 900, channels: 3, background } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

try {
  await seedDemo(db, config, mediaStore)
  await new Promise<void>((resolve) => app.api.server.listen(0, '127.0.0.1', resolve))
  const { port } = app.api.server.address() as AddressInfo
  const shop = await shopAt(() => `http://127.0.0.1:${port}`, readDemo(config)!.apiKey)
  const lines = ['sku,name,brand,barcode,images']
  for (let index = 0; index < products; index++) {
    host.serve(`/${index}.jpg`, { body: await picture(index) })
    lines.push(`P-${index},Pictured ${index},Ana,P-${index},${host.url(`/${index}.jpg`)}`)
  }
  const begun = performance.now()
  const set = await shop.plan(lines)
  const plannedAt = performance.now()
  if (set.counts.errors > 0) throw new Error(`${set.counts.errors} rows have errors.`)
  const { state } = await shop.step(set.id, 'apply')
  const seconds = (from: number, to: number) => Math.round((to - from) / 1000)
  console.table([
    {
      products,
      state,
      'plan, s': seconds(begun, plannedAt),
      'apply, s': seconds(plannedAt, performance.now()),
    },
  ])
} finally {
  await app.close()
  await host.close()
  await connection.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(0)
