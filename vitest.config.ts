import { defineConfig } from 'vitest/config'
import { ensureDocuments } from './scripts/ensure_generated.mjs'
import { LongestFirst } from './scripts/test_order.ts'

// The service and the tests of every operation read them.
await ensureDocuments()

const unitTests = 'test/**/*.unit.test.ts'
/** Need the cluster that `npm run test:distributed` starts. */
const clusterTests = process.env['TEST_WORKER_URLS'] ? [] : ['test/distributed/**']
/** Projects have exclusions of their own: an option of the command does not reach them. */
const leftOut = process.env['TEST_LEFT_OUT']?.split(',') ?? []

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of one worker share its modules: loading the service anew for each took a fifth of the
    // time. What a file holds on to, it gives back in its last hook; nothing is mocked.
    isolate: false,
    // Twice the cores of a small machine: tests wait for processes, browsers and turns. Three take a third longer.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Transformed sources are kept in node_modules, for the next run and for the other project.
    experimental: { fsModuleCache: true },
    // A slow machine may take its time.
    expect: { poll: { timeout: 100_000 } },
    projects: [
      {
        // Needs nothing but this process, and is quick: no database, browser or service, and nothing that goes
        // through every operation, megabytes or pictures.
        extends: true,
        // They never wait, and each worker would load the modules again.
        test: { name: 'unit', include: [unitTests], testTimeout: 30_000, maxWorkers: 2 },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [unitTests, '**/node_modules/**', ...clusterTests, ...leftOut],
          globalSetup: 'test/kit/global_setup.ts',
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
