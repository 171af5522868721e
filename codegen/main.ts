import { parseArgs } from 'node:util'
import { generate } from './generate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    documents: { type: 'boolean', default: false },
  },
})
const [contractFile = 'openapi.yaml', outDir = 'src/generated'] = positionals

const mode = values.check ? 'check' : values.documents ? 'documents' : 'all'
const { ok, lines } = await generate({ contractFile, outDir, mode })
for (const line of lines) {
  if (ok) console.log(line)
  else console.error(line)
}
if (!ok) process.exitCode = 1
