import { spawn } from 'node:child_process'
import { join } from 'node:path'

// npm run conformance: only the official suites, which npm test also runs, with their figures.

const root = join(import.meta.dirname, '..', '..')
const args = ['scripts/test.mjs', 'test/mcp/conformance.test.ts']
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
child.once('close', (code) => {
  process.exitCode = code ?? 1
})
