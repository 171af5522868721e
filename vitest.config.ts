import { defineConfig } from 'vitest/config'
import { ensureDocuments } from './scripts/ensure_generated.mjs'

// The service and the tests of every operation read them.
await ensureDocuments()

const unitTests = 'test/**/*.unit.test.ts'
/** Need the cluster that `npm run test:distributed` starts. */
const clusterTests = process.env['TEST_WORKER_URLS'] ? [] : ['test/distributed/**']

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of one worker share its modules: loading the service anew for each took a fifth of the
    // time. What a file holds on to, it gives back in its last hook; nothing is mocked.
    isolate: false,
    // One more than the cores of a small machine: a fifth of the time is waiting.
    maxWorkers: 3,
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
          exclude: [unitTests, '**/node_modules/**', ...clusterTests],
          globalSetup: 'test/kit/global_setup.ts',
          testTimeout: 120_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
