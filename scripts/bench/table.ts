import type { CatalogueFigures } from './catalogue.ts'
import { quantile } from './load.ts'
import type { PageCost } from './shops/pages.ts'
import type { PictureFigures } from './shops/pictures.ts'
import type { PaintFigures } from './shops/paint.ts'
import { paintConditions } from './shops/slow_phone.ts'

/** Maximum cost of a call, as a multiple of the floor. */
const limits: Record<string, number> = { list: 1.25, get: 1.8, search: 1.25, create: 1.4 }

const agentLimit = 2.5

export function report(what: string, value: string, limit = ''): void {
  console.log(`${what.padEnd(44)} ${value.padStart(10)}  ${limit}`)
}

function line(cells: string[]): void {
  const [name = '', ...figures] = cells
  console.log(`${name.padEnd(29)}${figures.map((figure) => figure.padStart(11)).join('')}`)
}

/** Ratios first: they are comparable between machines, absolute figures are not. */
export function printCatalogue(figures: CatalogueFigures): void {
  const { products, measurements, statements, agents, pages, memory } = figures
  console.log(`\n${products.toLocaleString('en')} products; CPU ms per call, process and database`)
  line([
    '',
    'ratio',
    'limit',
    'service',
    'floor',
    'node',
    'floor node',
    'calls/s',
    'floor/s',
    'rows',
  ])
  for (const { name, ratio, service, floor, total } of measurements) {
    const limit = limits[name.split(',')[0]!]
    line([
      name,
      ratio.toFixed(2),
      limit === undefined ? '' : `≤ ${limit}`,
      ...[service.cpu, floor.cpu, service.node, floor.node].map((value) => value.toFixed(2)),
      service.perSecond.toFixed(0),
      floor.perSecond.toFixed(0),
      String(total ?? ''),
    ])
  }
  console.log('Database only, CPU ms: a page with its counters, and a total when it is not cached')
  line(['', 'page', 'total'])
  for (const { name, page, total } of statements) line([name, page.toFixed(3), total.toFixed(3)])
  console.log('Agents, relative to the same read over REST; CPU ms per call, process and database')
  line(['', 'ratio', 'limit', 'service', 'node', 'calls/s'])
  for (const { name, ratio, cost } of agents)
    line([
      name,
      ratio.toFixed(2),
      name.startsWith('tools/call, 20') ? `≤ ${agentLimit}` : '',
      cost.cpu.toFixed(2),
      cost.node.toFixed(2),
      cost.perSecond.toFixed(0),
    ])
  printPages(pages)
  printMemory(memory)
}

export function printMemory({ idle, loaded }: CatalogueFigures['memory']): void {
  report('memory of the process, ready', `${idle} MB`, 'limit 150 MB')
  report('memory of the process, after all this', `${loaded} MB`, 'limit 220 MB')
}

export function printPages(pages: PageCost[]): void {
  console.log('Pages of a shop, relative to the published list over REST; CPU ms per call')
  line(['', 'ratio', 'limit', 'service', 'calls/s', 'p99 ms', 'bytes', 'limit'])
  for (const { name, ratio, limit, cpu, perSecond, p99, bytes, maxBytes } of pages)
    line([
      name,
      ratio.toFixed(2),
      `≤ ${limit}`,
      cpu.toFixed(2),
      perSecond.toFixed(0),
      p99.toFixed(1),
      ...(bytes === 0 ? ['', ''] : [String(bytes), `≤ ${maxBytes}`]),
    ])
}

/** The same pages in a larger shop. */
export function printPageGrowth(all: { products: number; pages: PageCost[] }[]): void {
  const [smallest, ...larger] = all.toSorted((a, b) => a.products - b.products)
  for (const { products, pages } of larger) {
    console.log(`\n${products.toLocaleString('en')} products relative to ${smallest!.products}`)
    for (const [index, { name, cpu }] of pages.entries())
      report(name, (cpu / smallest!.pages[index]!.cpu).toFixed(2), 'limit 1.2')
  }
}

export function printPictures({ pictures, before, during, made }: PictureFigures): void {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(before, share).toFixed(1))
  console.log(`Pages of a shop while ${pictures} photos of 12 megapixels are uploaded to it`)
  report('p50 and p99 before', `${p50}, ${p99} ms`)
  report('p50 of pages meanwhile', `${quantile(during, 0.5).toFixed(1)} ms`)
  report('p99 of pages meanwhile', `${quantile(during, 0.99).toFixed(1)} ms`, 'limit 100 ms')
  report('until all smaller files are made', `${made.toFixed(0)} s`)
}

const paintLimits = { overEmpty: 300, shift: 0.01 }

export function printPaint(pages: PaintFigures[]): void {
  console.log(
    `Pages of a shop, ms until the largest part is painted; phone: ${paintConditions}; desktop: not slowed`,
  )
  line(['', 'paint', 'over empty', 'limit', 'shift', 'limit', 'requests', 'kB'])
  for (const { name, paint, overEmpty, shift, requests, kilobytes } of pages)
    line([
      name,
      paint.toFixed(0),
      overEmpty.toFixed(0),
      `≤ ${paintLimits.overEmpty}`,
      shift.toFixed(4),
      `≤ ${paintLimits.shift}`,
      String(requests),
      kilobytes.toFixed(0),
    ])
}

/** Growth of the cost with the catalogue: each size relative to the smallest, and the last page. */
export function printGrowth(all: CatalogueFigures[]): void {
  const [smallest, ...larger] = [...all].sort((a, b) => a.products - b.products)
  for (const figures of larger) {
    const { products } = figures
    console.log(`\n${products.toLocaleString('en')} products relative to ${smallest!.products}`)
    for (const [index, { name, service }] of figures.measurements.entries()) {
      const times = service.cpu / smallest!.measurements[index]!.service.cpu
      report(`${name}, the whole call`, times.toFixed(2), name === 'list' ? 'limit 1.3' : '')
    }
    for (const [index, { name, page }] of figures.statements.entries()) {
      const times = page / smallest!.statements[index]!.page
      const limit = name.startsWith('search') ? 'limit 3' : ''
      report(`${name}, the page in the database`, times.toFixed(2), limit)
    }
  }
  for (const { products, measurements } of all) {
    const cost = (name: string) => measurements.find((row) => row.name === name)!.service.cpu
    const times = cost('last page') / cost('list')
    report(`last page relative to the first, ${products}`, times.toFixed(2), 'limit 4')
  }
}
