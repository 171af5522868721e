import { parseArgs } from 'node:util'
import { generate, modes } from './generate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(modes.map((mode) => [mode, { type: 'boolean', default: false }])),
})
const [contractFile = 'openapi.yaml', outDir = 'src/generated'] = positionals

const mode = modes.find((each) => values[each] === true) ?? 'all'
const { ok, lines } = await generate({ contractFile, outDir, mode })
for (const line of lines) {
  if (ok) console.log(line)
  else console.error(line)
}
if (!ok) process.exitCode = 1
