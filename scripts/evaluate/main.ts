import { mkdtempSync, chmodSync, existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { createFaceDetector } from '../../src/adapters/face_detector.ts'
import { createLanguageModel } from '../../src/adapters/language_model.ts'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { localModel } from '../../src/domain/assistant/built_in/local_model.ts'
import { remoteModel } from '../../src/domain/assistant/provider/remote_model.ts'
import { readCases } from './cases.ts'
import { printFailures, printResults } from './report.ts'
import { runCases } from './run.ts'
import { storeShops } from './shops.ts'

/**
 * Asks the labelled questions of the development set, or of files given as arguments, and judges
 * answers, routines and searches: with the built-in model, and with the provider of the AI_* settings
 * if there is one, whose calls cost money.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Also prints every case that was not right. */
    failures: { type: 'boolean', default: false },
    level: { type: 'string', default: 'LOW' },
  },
})
if (existsSync('.env')) process.loadEnvFile('.env')
const { ai } = readConfig(process.env)
const thinkingLevel = values.level as 'LOW' | 'MEDIUM' | 'HIGH'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-evaluate-'))
// As root, PostgreSQL runs under another user, who needs to traverse the folder.
chmodSync(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durable: false })
const connection = connect(postgres.url, { max: 4, baseUrl: 'http://localhost:3000' })
try {
  const { db } = connection
  await migrate(db as unknown as Kysely<unknown>, { environment: 'development' })
  const cases = readCases(positionals.length > 0 ? positionals : undefined)
  const shops = await storeShops(db, cases.shops)
  const faces = createFaceDetector({ timeoutSeconds: 1 })
  const models = {
    'the built-in model': localModel(faces),
    ...(ai && {
      [`${ai.provider} ${thinkingLevel === 'LOW' ? ai.fastModel : ai.comprehensiveModel}`]:
        remoteModel(createLanguageModel(ai), faces),
    }),
  }
  for (const [name, aiModel] of Object.entries(models)) {
    const results = await runCases({ db, aiModel, shops, thinkingLevel }, cases)
    if (values.failures) printFailures(results)
    printResults(`${name}, ${thinkingLevel}`, results)
  }
} finally {
  await connection.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
