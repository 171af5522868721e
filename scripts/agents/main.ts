import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { handlers } from '../../handlers/index.ts'
import { outboxFolderMailer } from '../../src/adapters/mailer.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createLog } from '../../src/core/log.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readDemo, seedDemo } from '../../src/demo/demo.ts'
import { startPictureHost } from '../../test/kit/peers/picture_host.ts'
import { insertAgent } from '../bench/agents.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { bulkTasks } from './bulk_tasks.ts'
import { answers, connectAgent } from './measure.ts'
import { tasks } from './tasks.ts'
import { viewsIn } from './views.ts'

/*
 * npm run agents:tasks: what common work costs a model. A real client does it in the demo shop of a
 * service of its own, on loopback; tokens are those of o200k. Ends with 1 if a limit is exceeded.
 */
const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
const secrets = {
  secretKey: 'a secret of the tasks, long enough',
  webhookSecret: 'whsec_of_the_tasks',
}
const config = {
  ...readConfig({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' }),
  ...secrets,
}
const connection = connect(postgres.url, { baseUrl: config.baseUrl })
const { db } = connection
const pictureHost = await startPictureHost()
const mediaStore = diskMediaStore(join(dataDir, 'media'))
await migrate(db as unknown as Kysely<unknown>, config)
const app = await createApp({
  config,
  connection,
  log: createLog('error'),
  mailer: outboxFolderMailer(join(dataDir, 'outbox')),
  mediaStore,
  handlers,
  publicDownload: createPublicDownload(pictureHost.fetchParts),
})
let exceeded = 0
try {
  await seedDemo(db, config, mediaStore)
  await new Promise<void>((resolve) => app.api.server.listen(0, '127.0.0.1', resolve))
  const { port } = app.api.server.address() as AddressInfo
  const { workspaceId } = readDemo(config)!
  const agent = await connectAgent({
    endpoint: `http://127.0.0.1:${port}/mcp`,
    token: await insertAgent(db, `${config.baseUrl}/mcp`),
    workspaceId,
    pictures: pictureHost.pictures,
    view: viewsIn(db, workspaceId, () => new Date()),
  })
  const rows = []
  for (const [tool, args, most] of answers) {
    const tokens = await agent.tokensOf(tool, args)
    if (tokens > most) exceeded++
    rows.push({ task: `${tool} ${JSON.stringify(args)}`, calls: 1, tokens, 'at most': most })
  }
  for (const task of [...tasks, ...bulkTasks]) {
    const { calls, tokens } = await agent.measure(task)
    if (calls > task.calls || tokens > task.tokens) exceeded++
    rows.push({ task: task.name, calls, tokens, 'at most': task.tokens })
  }
  console.table(rows)
  await agent.close()
} finally {
  await app.close()
  await pictureHost.close()
  await connection.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(exceeded > 0 ? 1 : 0)
