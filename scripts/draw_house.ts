import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Draws .github/house.svg from the folders: floors as rows, wings as columns, each cell with its files
 * and lines. Run it when the house has changed: a test misses new folders, and counts that have become wrong by
 * a quarter. Exact counts would have every change draw it again.
 */
const root = join(import.meta.dirname, '..')

/** What stands in domain, queries or both. */
const wings = [...new Set(['src/domain', 'src/queries'].flatMap(foldersIn).map(nameOf))].sort()

interface Floor {
  name: string
  about: string
  /** What stands side by side on it; a cell may join several folders. */
  cells: { label: string; folders: string[] }[]
}

/** From the roof down, as in .dependency-cruiser.cjs. */
const floors: Floor[] = [
  floorOf('surfaces', 'how a call comes in', ['src/surfaces/*', ...foldersIn('src/surfaces')]),
  floorOf('site', 'pages of the shops', ['src/site/*', ...foldersIn('src/site')]),
  floorOf('handlers', 'what operations do', ['handlers']),
  floorOf('oauth', 'the authorization server', ['src/oauth']),
  floorOf('access', 'who is calling', ['src/access']),
  floorOf('domain', 'rules beyond a query', inWings('src/domain')),
  floorOf('queries', 'SQL', inWings('src/queries')),
  floorOf('adapters', 'the world outside', ['src/adapters']),
  floorOf('db', 'connections, schema', ['src/db/*', ...foldersIn('src/db')]),
  floorOf('above core', 'words, turns, settings', ['src/language', 'src/fairness', 'src/settings']),
  floorOf('core', 'bricks', ['src/core']),
  floorOf('generated', 'from openapi.yaml', ['src/generated']),
  floorOf('texts', 'what people read', ['src/texts']),
]

const otherTests = foldersIn('test').filter((folder) => !inWings('test').includes(folder))

/** Not floors: tests reach all of them, pages are clients of the contract. */
const beside: Floor[] = [
  floorOf('test', 'the same wings', inWings('test')),
  {
    name: 'test',
    about: 'across the wings',
    cells: [{ label: otherTests.map(nameOf).join(', '), folders: otherTests }],
  },
  floorOf('pages, demo', 'a client; a shop to try', ['src/web', 'src/demo']),
]

function floorOf(name: string, about: string, folders: string[]): Floor {
  const cells = folders.map((folder) => ({ label: nameOf(folder), folders: [folder] }))
  return { name, about, cells }
}

function inWings(folder: string): string[] {
  return wings.map((wing) => `${folder}/${wing}`)
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
}

/** `src/db/*` are the files at the top of a folder that has cells for the folders in it. */
function nameOf(folder: string): string {
  return folder.endsWith('/*') ? 'at its top' : folder.slice(folder.lastIndexOf('/') + 1)
}

interface Size {
  files: number
  lines: number
}

interface Box {
  x: number
  y: number
  wide: number
}

/** Source and words that people write, and generated code; not the documents that are built. */
const counted = /\.(ts|tsx|mjs|css)$|^src\/(texts|language)\/.*\.json$/

function sizeOf(folder: string): Size {
  const isTop = folder.endsWith('/*')
  const files = filesIn(isTop ? folder.slice(0, -2) : folder, !isTop).filter((path) =>
    counted.test(path),
  )
  const linesIn = (path: string) => readFileSync(join(root, path), 'utf8').split('\n').length - 1
  return { files: files.length, lines: sum(files.map(linesIn)) }
}

/** Without the packages that are installed below it, which are more than all the rest. */
function filesIn(folder: string, isDeep: boolean): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isFile()) return [path]
    return isDeep && entry.name !== 'node_modules' ? filesIn(path, isDeep) : []
  })
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

const width = 1240
const gutter = 138
const margin = 16
const rowHeight = 38
const gap = 12
const body = width - gutter - 2 * margin - 24

/** Escapes nothing but what folder names could hold. */
function text(x: number, y: number, kind: string, words: string): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x}" y="${y}" class="${kind}">${escaped}</text>`
}

/** Stronger with more lines; by the root, because the largest has a hundred times those of the least. */
function shadeOf(lines: number): string {
  return (0.06 + 0.5 * Math.min(1, Math.sqrt(lines / 20_000))).toFixed(2)
}

function drawCell(label: string, { files, lines }: Size, at: Box): string {
  const { x, y, wide } = at
  const middle = x + wide / 2
  const shade = files > 0 ? shadeOf(lines) : '0'
  const size = `x="${x}" y="${y}" width="${wide}" height="${rowHeight}"`
  const counts = files > 0 ? `${files} · ${lines.toLocaleString('en-GB')}` : '–'
  const box = `<rect ${size} rx="4" class="cell" fill-opacity="${shade}"/>`
  if (label === '') return [box, text(middle, y + 23, 'counts', counts)].join('\n')
  const labelled = [text(middle, y + 16, 'label', label), text(middle, y + 30, 'counts', counts)]
  return [box, ...labelled].join('\n')
}

function drawFloor({ name, about, cells }: Floor, y: number): string {
  const space = 4
  const wide = (body - space * (cells.length - 1)) / cells.length
  const drawn = cells.map(({ label, folders }, index) => {
    const sizes = folders.map(sizeOf)
    const size = {
      files: sum(sizes.map(({ files }) => files)),
      lines: sum(sizes.map(({ lines }) => lines)),
    }
    const x = margin + gutter + index * (wide + space)
    // A floor of one folder has its name at its left already.
    return drawCell(label === name ? '' : label, size, { x: round(x), y, wide: round(wide) })
  })
  return [text(margin, y + 16, 'floor', name), text(margin, y + 30, 'about', about), ...drawn].join(
    '\n',
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Text and its background change together, so that it is readable on a page of either scheme. */
const style = `
text { font: 11px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.floor { font-size: 13px; font-weight: 600 }
.label { font-size: 10.5px; font-weight: 600; text-anchor: middle }
.counts { text-anchor: middle }
.about, .note { fill: #59636e }
.turned { text-anchor: middle }
.ground { fill: #ffffff; stroke: #d1d9e0 }
.cell { fill: #0969da; stroke: #0969da; stroke-opacity: .35 }
.arrow { stroke: #59636e; stroke-width: 1.5; fill: none }
.head { fill: #59636e }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .about, .note { fill: #9198a1 }
  .ground { fill: #0d1117; stroke: #3d444d }
  .cell { fill: #388bfd; stroke: #388bfd }
  .arrow { stroke: #9198a1 }
  .head { fill: #9198a1 }
}
`

function draw(): string {
  const top = 66
  const yOf = (row: number) => top + row * (rowHeight + gap)
  const lowest = yOf(floors.length - 1) + rowHeight
  const besideTop = lowest + 46
  const height = besideTop + beside.length * (rowHeight + gap) + 8
  const arrowX = width - margin - 6
  const middle = (top + lowest) / 2
  const betweenFloors = floors.slice(1).map((_floor, index) => {
    const x = margin + gutter + body / 2
    const y = yOf(index) + rowHeight + 3
    return `<path d="M${x - 5} ${y}h10l-5 6z" class="head"/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Floors and wings of the house">`,
    `<style>${style}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" class="ground"/>`,
    text(margin, 28, 'title', 'Floors and wings'),
    text(
      margin,
      48,
      'note',
      'Each cell: files · lines, the more lines, the stronger the colour. A file imports its own floor and those below it.',
    ),
    ...floors.map((floor, row) => drawFloor(floor, yOf(row))),
    ...betweenFloors,
    `<path d="M${arrowX} ${top}V${lowest - 6}" class="arrow"/>`,
    `<path d="M${arrowX - 5} ${lowest - 8}h10l-5 8z" class="head"/>`,
    `<g transform="rotate(90 ${arrowX - 10} ${middle})">${text(arrowX - 10, middle, 'note turned', 'imports only go down')}</g>`,
    text(margin, besideTop - 12, 'note', 'Beside the floors'),
    ...beside.map((floor, row) => drawFloor(floor, besideTop + row * (rowHeight + gap))),
    '</svg>',
    '',
  ].join('\n')
}

const file = join(root, '.github', 'house.svg')

/** The files and lines of each cell, in order. */
function countsIn(picture: string): Size[] {
  return [...picture.matchAll(/ class="counts">([^<]*)</g)].map(([, counts = '']) => {
    const [files = 0, lines = 0] =
      counts.match(/[\d,]+/g)?.map((each) => each.replaceAll(',', '')) ?? []
    return { files: Number(files), lines: Number(lines) }
  })
}

const isFar = (drawn: number, real: number, least: number) =>
  Math.abs(drawn - real) > Math.max(least, real / 4)

/** Cells whose counts in the picture are far from those of the house. */
export function farOff(picture = readFileSync(file, 'utf8')): string[] {
  const [drawn, real] = [countsIn(picture), countsIn(draw())]
  if (drawn.length !== real.length) return [`${drawn.length} cells, and not ${real.length}`]
  return real.flatMap(({ files, lines }, index) => {
    const cell = drawn[index]!
    if (!isFar(cell.files, files, 4) && !isFar(cell.lines, lines, 400)) return []
    return [`${cell.files} · ${cell.lines}, and not ${files} · ${lines}`]
  })
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(file, draw())
  console.log(file)
}
