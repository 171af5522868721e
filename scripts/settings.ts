import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Group, Setting } from '../src/settings/setting.ts'
import { isGroup, settings } from '../src/settings/settings.ts'

/** Writes .env.example from the table of settings; with --check, fails if it is stale. */
const file = join(import.meta.dirname, '..', '.env.example')

const heading = `\
# Copy to .env and change what you need. In development every setting is optional; in production the
# service lists what is missing and does not start.
# Written by \`npm run settings\` from src/settings/settings.ts: edit that, not this.
`

function linesOf({ name, about, schema }: Setting): string {
  return `# ${about}\n${name}=${schema.default ?? ''}\n`
}

function paragraphOf({ about, required, optional }: Group): string {
  const names = Object.values(required).map(({ name }) => name)
  const members = [...Object.values(required), ...Object.values(optional)]
  return `\n# ${about}\n# Set all of ${names.join(', ')}, or none.\n\n${members.map(linesOf).join('')}\n`
}

const entries = Object.values<Setting | Group>(settings)
const body = entries.map((entry) => (isGroup(entry) ? paragraphOf(entry) : linesOf(entry))).join('')
const text = `${heading}\n${body}`.replace(/\n{3,}/g, '\n\n')

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
if (!check) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('.env.example is stale. Run: npm run settings')
  process.exitCode = 1
}
