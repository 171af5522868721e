import { parseArgs } from 'node:util'
import { build } from '../build.mjs'
import { type AccountFigures, benchAccounts, printAccounts } from './accounts.ts'
import { benchCatalogue, benchPages, benchPictures, type CatalogueFigures } from './catalogue.ts'
import { endConnections } from './load.ts'
import { benchRouting } from './routing.ts'
import { benchPaint } from './shops/paint.ts'
import { benchStart } from './start.ts'
import {
  printCatalogue,
  printGrowth,
  printMemory,
  printPageGrowth,
  printPages,
  printPaint,
  printPictures,
  report,
} from './table.ts'

const { values } = parseArgs({
  options: {
    /** Numbers of products, comma-separated; several are compared with each other. */
    products: { type: 'string', default: '10000' },
    repetitions: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    /** Skips everything that does not depend on the catalogue. */
    'catalogue-only': { type: 'boolean', default: false },
    /** Skips everything but the pages of a shop. */
    'pages-only': { type: 'boolean', default: false },
    /** Uploads so many large photos and looks at the pages of their shop meanwhile; skips all else. */
    pictures: { type: 'string', default: '0' },
    /** Skips everything but the painting of a shop's pages on a phone, which needs a browser. */
    'paint-only': { type: 'boolean', default: false },
    /** Skips everything but the start and the memory of the process. */
    start: { type: 'boolean', default: false },
    /** Numbers of accounts, comma-separated; several are compared with each other. */
    accounts: { type: 'string', default: '100,100000' },
    /** Skips everything but the staff's lists. */
    'accounts-only': { type: 'boolean', default: false },
  },
})
const effort = { repetitions: Number(values.repetitions), seconds: Number(values.seconds) }

const startOnly = values.start
const accountsOnly = values['accounts-only']
const pagesOnly = values['pages-only']
const paintOnly = values['paint-only']
const pictures = Number(values.pictures)
const isPart = accountsOnly || startOnly || paintOnly || pictures > 0
const runAll = !values['catalogue-only'] && !isPart && !pagesOnly
const sizes = isPart ? [] : values.products.split(',').map(Number)

await build()
if (runAll) {
  const { read, write } = await benchRouting()
  const form = { digits: 1, unit: 'µs', most: 25 }
  report('match + validate, a read, 100 operations', read, form)
  report('match + validate, a write, 100 operations', write, form)
}
// CPU of other processes is read from /proc, which exists only on Linux.
if (process.platform === 'linux') {
  if (runAll || startOnly) {
    const { cpu, idle, loaded } = await benchStart()
    report('start to ready, existing database, CPU', cpu, { digits: 0, unit: 'ms', most: 800 })
    printMemory({ idle, loaded }, 'after 10,000 calls')
  }
  const all: CatalogueFigures[] = []
  const allPages: Awaited<ReturnType<typeof benchPages>>[] = []
  for (const count of sizes) {
    if (pagesOnly) {
      const figures = await benchPages(count, effort)
      printPages(figures.pages)
      printMemory(figures.memory)
      allPages.push(figures)
      continue
    }
    const figures = await benchCatalogue(count, effort)
    printCatalogue(figures)
    all.push(figures)
  }
  if (all.length > 1) printGrowth(all)
  if (allPages.length > 1) printPageGrowth(allPages)
  if (pictures > 0) printPictures(await benchPictures(pictures))
  if (runAll || paintOnly) printPaint(await benchPaint(effort.repetitions))
  if (runAll || accountsOnly) {
    const figures: AccountFigures[] = []
    for (const size of values.accounts.split(',').map(Number))
      figures.push(await benchAccounts(size, effort))
    printAccounts(figures)
  }
  endConnections()
}
