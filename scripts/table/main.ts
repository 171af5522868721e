import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileOf } from './file.ts'
import { kindsOfPairs } from './pairs.ts'
import { type Plan, trained } from './training.ts'
import { readWordNets } from './wordnets.ts'

/*
 * Trains a table of words, always the same one, at about 0.1 s of one processor a step: 40 minutes for all. Its
 * argument is the folder of the package nlptoolkit-wordnet (`npm pack nlptoolkit-wordnet@1.0.7`, then unpack it), which neither the service
 * nor its tests need. --out names another file than the one that the service reads: compare both by
 * `npm run evaluate` before you replace it. The table that is checked in was made with the same sources and a
 * teacher for English (`src/language/table/README.md`), so this one differs from it.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    out: {
      type: 'string',
      default: join(import.meta.dirname, '../../src/language/table/words.bin'),
    },
    steps: { type: 'string', default: '24000' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the package nlptoolkit-wordnet.')

const plan: Plan = {
  dimensions: 64,
  rows: 65_536,
  batch: 256,
  steps: Number(values.steps),
  rate: 0.03,
  temperature: 0.06,
}
const kinds = kindsOfPairs(readWordNets(folder))
for (const [name, { pairs }] of Object.entries(kinds)) console.log(`${pairs.length} ${name}`)
const table = trained(Object.values(kinds), plan, (step, loss) =>
  console.log(`step ${step}, loss ${loss.toFixed(3)}`),
)
writeFileSync(values.out, fileOf(table, plan))
