import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ensureDocuments } from './scripts/ensure_generated.mjs'

// The service and the tests of every operation read them.
await ensureDocuments()

const unitTests = 'test/**/*.unit.test.ts'
/** Need the cluster that `npm run test:distributed` starts. */
const clusterTests = process.env['TEST_WORKER_URLS'] ? [] : ['test/distributed/**']

/** Take half a minute and more. Large files start first; of these some are small, and would end last. */
const longTests = [
  'every_operation/authorization',
  'every_operation/contract',
  'upkeep/process',
  'pages/looks',
  'http/attacks',
  'upkeep/embedded',
  'every_operation/limits',
  'site/visitor_isolation',
  'pages/living_contract',
].map((name) => `/test/${name}.test.ts`)

class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longTests.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of one worker share its modules: loading the service anew for each took a fifth of the
    // time. What a file holds on to, it gives back in its last hook; nothing is mocked.
    isolate: false,
    // One more than the cores of a small machine: a fifth of the time is waiting.
    maxWorkers: 3,
    sequence: { sequencer: LongTestsFirst },
    // A slow machine may take its time.
    expect: { poll: { timeout: 100_000 } },
    projects: [
      {
        // Needs nothing but this process: no database, no browser, no service.
        extends: true,
        test: { name: 'unit', include: [unitTests], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [unitTests, ...clusterTests],
          globalSetup: 'test/kit/global_setup.ts',
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
