import { partCounter, UnfitImage } from './image_containers.ts'

interface Box {
  type: string
  start: number
  end: number
}

const damaged = () => new UnfitImage('imageDamaged')

/** Items that make up the picture: coded images and the items that combine them. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])

/** Whether the first box says AVIF. Sequences are detected because only stills are accepted. */
export function avifBrand(bytes: Buffer): 'still' | 'sequence' | undefined {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const brands: string[] = []
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12) brands.push(bytes.toString('latin1', at, at + 4))
  if (brands.includes('avis')) return 'sequence'
  return brands.includes('avif') ? 'still' : undefined
}

/**
 * Whether the file holds anything besides the picture: a metadata item, an unneeded box, or bytes
 * that no item points to.
 */
export function avifHoldsMore(bytes: Buffer): boolean {
  const boxes = boxesIn(bytes, 0, bytes.length)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta) throw damaged()
  if (boxes.some(({ type }) => !['ftyp', 'meta', 'mdat'].includes(type))) return true
  const parts = boxesIn(bytes, meta.start + 4, meta.end)
  const pictureBoxes = ['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat', 'grpl']
  if (parts.some(({ type }) => !pictureBoxes.includes(type))) return true
  if (itemTypes(bytes, part(parts, 'iinf')).some((type) => !pictureItems.has(type))) return true
  const extents = extentsOf(bytes, part(parts, 'iloc'))
  return boxes.some((box) => box.type === 'mdat' && !isCovered(box, extents))
}

function part(boxes: Box[], type: string): Box {
  const match = boxes.find((box) => box.type === type)
  if (!match) throw damaged()
  return match
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  const countPart = partCounter()
  let at = from
  while (at < to) {
    countPart()
    if (at + 8 > to) throw damaged()
    let size = bytes.readUInt32BE(at)
    let head = 8
    if (size === 1) {
      if (at + 16 > to) throw damaged()
      size = Number(bytes.readBigUInt64BE(at + 8))
      head = 16
    } else if (size === 0) size = to - at
    if (size < head || at + size > to) throw damaged()
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      start: at + head,
      end: at + size,
    })
    at += size
  }
  return boxes
}

function itemTypes(bytes: Buffer, { start, end }: Box): string[] {
  const entriesAt = start + (bytes.readUInt8(start) === 0 ? 6 : 8)
  return boxesIn(bytes, entriesAt, end).map((entry) => {
    const version = bytes.readUInt8(entry.start)
    // Entries before version 2 have no type, and AVIF has no such entries.
    if (version < 2) return ''
    const typeAt = entry.start + 4 + (version === 2 ? 2 : 4) + 2
    return bytes.toString('latin1', typeAt, typeAt + 4)
  })
}

/** The byte ranges that items point to. */
function extentsOf(bytes: Buffer, { start }: Box): [from: number, to: number][] {
  let at = start
  const read = (size: number) => {
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : undefined
    const number = value ?? bytes.readUIntBE(at, size)
    at += size
    return number
  }
  const version = read(1)
  at += 3
  const sizes = read(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const extents: [number, number][] = []
  // An extent may be encoded in zero bytes, so the end of the file does not bound the loop.
  const countPart = partCounter()
  for (let items = read(version < 2 ? 2 : 4); items > 0; items--) {
    read(version < 2 ? 2 : 4)
    const inFile = version === 0 || (read(2) & 15) === 0
    read(2)
    const base = read(baseSize)
    for (let count = read(2); count > 0; count--) {
      countPart()
      read(indexSize)
      const from = base + read(offsetSize)
      const length = read(lengthSize)
      if (inFile) extents.push([from, from + length])
    }
  }
  return extents
}

function isCovered({ start, end }: Box, extents: [number, number][]): boolean {
  let reached = start
  for (const [from, to] of extents.toSorted((a, b) => a[0] - b[0]))
    if (from <= reached && to > reached) reached = to
  return reached >= end
}
