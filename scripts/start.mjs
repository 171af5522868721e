// npm start: prepares a bare clone, then runs the service in this process, so that Ctrl-C and
// signals reach it directly and no wrapper can die and leave it orphaned.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from './build.mjs'
import { ensureDependencies } from './ensure_dependencies.mjs'
import { isServed } from './ensure_generated.mjs'
import { stopWithParent } from './stop_with_parent.mjs'

const root = join(import.meta.dirname, '..')

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Builds in a child process, so that the build's memory is not kept by the service. */
function buildApart() {
  const args = [join(root, 'scripts', 'build.mjs'), '--served']
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const pass = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, pass)
      if (signal) process.kill(process.pid, signal)
      else if (code !== 0) process.exit(code)
      else resolve()
    })
  })
}

stopWithParent()
await ensureDependencies()
if (!isServed() || !isBuilt()) await buildApart()
process.chdir(root)
await import('../dist/main.js')
