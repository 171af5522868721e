import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Runs a script of package.json like npm, without npm's start-up time. Resolves to its success and
 * its output.
 */
export function runPackageScript(name, suffix = '') {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return new Promise((resolve) => {
    const child = spawn(`${scripts[name]}${suffix}`, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: true,
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.once('close', (code) =>
      resolve({ ok: code === 0, output: Buffer.concat(output).toString('utf8') }),
    )
  })
}
