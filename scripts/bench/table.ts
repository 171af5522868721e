import type { CatalogueFigures } from './catalogue.ts'
import { quantile } from './load.ts'
import type { PageCost } from './shops/pages.ts'
import type { PictureFigures } from './shops/pictures.ts'
import type { PaintFigures } from './shops/paint.ts'
import { paintConditions } from './shops/slow_phone.ts'

/** Maximum cost of a call, as a multiple of the floor. */
const limits: Record<string, number> = { list: 1.25, get: 1.8, search: 1.25, create: 1.4 }

const agentLimit = 2.5

/** Of pages that are kept, at eight connections: pages a second and milliseconds. */
const keptLimits = { perSecond: 1000, p99: 50 }

/** What a figure must not be beyond. */
interface Limit {
  most?: number | undefined
  least?: number | undefined
}

/** Lines with a figure beyond its limit. */
const beyond: string[] = []

/** The limit of a figure as it is printed. A figure beyond it fails the command when all are printed. */
function heldTo(what: string, value: number, { most, least }: Limit): string {
  if (most === undefined && least === undefined) return ''
  const limit = most === undefined ? `≥ ${least}` : `≤ ${most}`
  if (value <= (most ?? Infinity) && value >= (least ?? -Infinity)) return limit
  if (beyond.length === 0)
    process.once('exit', () => {
      console.error(`\nBeyond their limits:\n${beyond.join('\n')}`)
      process.exitCode = 1
    })
  beyond.push(`${what}: ${value.toFixed(2)}, limit ${limit}`)
  return `${limit} !`
}

interface Form extends Limit {
  digits?: number
  unit?: string
}

/** A figure on a line of its own. */
export function report(
  what: string,
  value: number,
  { digits = 2, unit = '', ...limit }: Form = {},
): void {
  const text = [value.toFixed(digits), unit].join(' ').trim()
  console.log(`${what.padEnd(44)} ${text.padStart(10)}  ${heldTo(what, value, limit)}`.trimEnd())
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
    line([
      name,
      ratio.toFixed(2),
      heldTo(name, ratio, { most: limits[name.split(',')[0]!] }),
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
      heldTo(name, ratio, { most: name.startsWith('tools/call, 20') ? agentLimit : undefined }),
      cost.cpu.toFixed(2),
      cost.node.toFixed(2),
      cost.perSecond.toFixed(0),
    ])
  printPages(pages)
  printMemory(memory)
}

/** After calls of the API; a process keeps up to 64 MB of pages beside that. */
const memoryLimits = { 'after 10,000 calls': 220, 'after all this': 284 }

export function printMemory(
  { idle, loaded }: CatalogueFigures['memory'],
  when: keyof typeof memoryLimits = 'after all this',
): void {
  const form = { digits: 0, unit: 'MB' }
  report('memory of the process, ready', idle, { ...form, most: 150 })
  report(`memory of the process, ${when}`, loaded, { ...form, most: memoryLimits[when] })
}

export function printPages(pages: PageCost[]): void {
  console.log('Pages of a shop, relative to the published list over REST; CPU ms per call')
  line(['', 'ratio', 'limit', 'service', 'calls/s', 'limit', 'p99 ms', 'limit', 'bytes', 'limit'])
  for (const { name, ratio, limit, cpu, perSecond, p99, bytes, maxBytes } of pages) {
    const kept = name.endsWith(', kept') ? keptLimits : undefined
    line([
      name,
      ratio.toFixed(2),
      heldTo(`${name}, ratio`, ratio, { most: limit }),
      cpu.toFixed(2),
      perSecond.toFixed(0),
      heldTo(`${name}, calls/s`, perSecond, { least: kept?.perSecond }),
      p99.toFixed(1),
      heldTo(`${name}, p99 ms`, p99, { most: kept?.p99 }),
      ...(bytes === 0
        ? ['', '']
        : [String(bytes), heldTo(`${name}, bytes`, bytes, { most: maxBytes })]),
    ])
  }
}

/** The same pages in a larger shop. */
export function printPageGrowth(all: { products: number; pages: PageCost[] }[]): void {
  const [smallest, ...larger] = all.toSorted((a, b) => a.products - b.products)
  for (const { products, pages } of larger) {
    console.log(`\n${products.toLocaleString('en')} products relative to ${smallest!.products}`)
    for (const [index, { name, cpu }] of pages.entries())
      report(name, cpu / smallest!.pages[index]!.cpu, { most: 1.2 })
  }
}

export function printPictures({ pictures, before, during, made }: PictureFigures): void {
  const inMs = { digits: 1, unit: 'ms' }
  console.log(`Pages of a shop while ${pictures} photos of 12 megapixels are uploaded to it`)
  report('p50 before', quantile(before, 0.5), inMs)
  report('p99 before', quantile(before, 0.99), inMs)
  report('p50 of pages meanwhile', quantile(during, 0.5), inMs)
  report('p99 of pages meanwhile', quantile(during, 0.99), { ...inMs, most: 100 })
  report('until all smaller files are made', made, { digits: 0, unit: 's' })
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
      heldTo(`${name}, over empty`, overEmpty, { most: paintLimits.overEmpty }),
      shift.toFixed(4),
      heldTo(`${name}, shift`, shift, { most: paintLimits.shift }),
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
      report(`${name}, the whole call`, times, { most: name === 'list' ? 1.3 : undefined })
    }
    for (const [index, { name, page }] of figures.statements.entries()) {
      const times = page / smallest!.statements[index]!.page
      const most = name.startsWith('search') ? 3 : undefined
      report(`${name}, the page in the database`, times, { most })
    }
  }
  for (const { products, measurements } of all) {
    const cost = (name: string) => measurements.find((row) => row.name === name)!.service.cpu
    const times = cost('last page') / cost('list')
    report(`last page relative to the first, ${products}`, times, { most: 4 })
  }
}
