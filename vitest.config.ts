import { defineConfig } from 'vitest/config'
import { ensureDocuments } from './scripts/ensure_generated.mjs'

// The service and the tests of every operation read them.
await ensureDocuments()

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/kit/global_setup.ts',
    pool: 'forks',
    // Files of one worker share its modules: loading the service anew for each took a fifth of the
    // time. What a file holds on to, it gives back in its last hook; nothing is mocked.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    watch: false,
  },
})
