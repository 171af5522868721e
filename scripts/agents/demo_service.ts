import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
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
import { makeDataFolder } from '../bench/data_folder.ts'

/**
 * Starts a service of its own with the demo shop, on a database of its own. It runs in this process,
 * because only so can it fetch from a host on loopback.
 */
export async function startDemoService(
  fetchParts: Parameters<typeof createPublicDownload>[0],
  env: Record<string, string> = {},
) {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const config = {
    ...readConfig({ DATA_DIR: dataDir, ...env }),
    secretKey: 'a secret of a measurement, long enough',
    webhookSecret: 'whsec_of_a_measurement',
  }
  const connection = connect(postgres.url, { baseUrl: config.baseUrl })
  const { db } = connection
  const mediaStore = diskMediaStore(join(dataDir, 'media'))
  await migrate(db as unknown as Kysely<unknown>, config)
  const app = await createApp({
    config,
    connection,
    log: createLog('error'),
    mailer: outboxFolderMailer(join(dataDir, 'outbox')),
    mediaStore,
    handlers,
    publicDownload: createPublicDownload(fetchParts),
  })
  await seedDemo(db, config, mediaStore)
  await new Promise<void>((resolve) => app.api.server.listen(0, '127.0.0.1', resolve))
  const { port } = app.api.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** By which tokens are bound to the service. */
    baseUrl: config.baseUrl,
    demo: readDemo(config)!,
    db,
    async close() {
      await app.close()
      await connection.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
