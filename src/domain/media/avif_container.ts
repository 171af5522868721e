import { reducedProfile } from './icc_profile.ts'
import { partCounter, UnfitImage } from './image_containers.ts'

interface Box {
  type: string
  start: number
  end: number
}

const maxProfileBytes = 1024 * 1024
const damaged = () => new UnfitImage('imageDamaged')

/** Items that make up the picture: coded images and the items that combine them. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])

/** What a decoder needs to know of an item: size, depth, colours, orientation, layers, light. */
const pictureProperties = new Set(
  'ispe pixi av1C colr auxC irot imir clap pasp clli mdcv amve cclv a1op a1lx lsel'.split(' '),
)

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
  if (propertiesIn(bytes, parts).some(({ type }) => !pictureProperties.has(type))) return true
  const types = [...itemsIn(bytes, part(parts, 'iinf')).values()]
  if (types.some((type) => !pictureItems.has(type))) return true
  const extents = extentsOf(bytes, part(parts, 'iloc'))
  return boxes.some((box) => box.type === 'mdat' && !isCovered(box, extents))
}

/**
 * The file with colour profiles that hold only what converts colours. Their places stay, because items
 * are found by their offsets. Undefined if a profile cannot be reduced.
 */
export function avifWithReducedProfiles(bytes: Buffer): Buffer | undefined {
  const meta = boxesIn(bytes, 0, bytes.length).find(({ type }) => type === 'meta')
  if (!meta) throw damaged()
  const output = Buffer.from(bytes)
  for (const { type, start, end } of propertiesIn(
    bytes,
    boxesIn(bytes, meta.start + 4, meta.end),
  )) {
    const isProfile = ['prof', 'rICC'].includes(bytes.toString('latin1', start, start + 4))
    if (type !== 'colr' || !isProfile) continue
    const profile = reducedProfile(bytes.subarray(start + 4, end))
    if (!profile || end - start > maxProfileBytes) return undefined
    output.fill(0, start + 4, end)
    profile.copy(output, start + 4)
    output.writeUInt32BE(end - start - 4, start + 4)
  }
  return output
}

/** Colours and transparency are two pictures of the same size. */
const picturesInOne = 2.2

/**
 * Refuses an AVIF whose container states more work than one picture: layers, or tiles that are used
 * again and again. A few bytes can state minutes of it.
 */
export function requireModestAvif(bytes: Buffer, maxPixels: number): void {
  const parts = metaParts(bytes)
  const items = itemsIn(bytes, part(parts, 'iinf'))
  if ([...items.values()].includes('iovl')) throw new UnfitImage('imageLayered')
  if (pixelsIn(bytes, parts) > maxPixels * picturesInOne)
    throw new UnfitImage(['imagePixels', { limit: maxPixels / 1_000_000 }])
}

/** Pixels that a decoder goes through: each item as often as it is used. */
export function avifPixels(bytes: Buffer): number {
  return pixelsIn(bytes, metaParts(bytes))
}

function metaParts(bytes: Buffer): Box[] {
  const meta = boxesIn(bytes, 0, bytes.length).find(({ type }) => type === 'meta')
  if (!meta) throw damaged()
  return boxesIn(bytes, meta.start + 4, meta.end)
}

function pixelsIn(bytes: Buffer, parts: Box[]): number {
  const items = itemsIn(bytes, part(parts, 'iinf'))
  const pixels = pixelsOfItems(bytes, parts)
  const references = derivationsIn(bytes, parts)
  const used = new Set(references)
  const coded = [...items].flatMap(([id, type]) => (type === 'av01' && !used.has(id) ? [id] : []))
  return [...references, ...coded].reduce((sum, id) => sum + (pixels.get(id) ?? 0), 0)
}

/** The size of each item, from the properties that are associated with it. */
function pixelsOfItems(bytes: Buffer, parts: Box[]): Map<number, number> {
  const pixels = new Map<number, number>()
  const iprp = parts.find(({ type }) => type === 'iprp')
  if (!iprp) return pixels
  const boxes = boxesIn(bytes, iprp.start, iprp.end)
  const properties = propertiesIn(bytes, parts)
  for (const box of boxes.filter(({ type }) => type === 'ipma'))
    for (const [id, index] of associationsIn(bytes, box)) {
      const property = properties[index - 1]
      if (property?.type !== 'ispe') continue
      const [width, height] = [4, 8].map((at) => bytes.readUInt32BE(property.start + at))
      pixels.set(id, width! * height!)
    }
  return pixels
}

/** The properties of items, which refer to them by their places. */
function propertiesIn(bytes: Buffer, parts: Box[]): Box[] {
  const iprp = parts.find(({ type }) => type === 'iprp')
  if (!iprp) return []
  const { start, end } = part(boxesIn(bytes, iprp.start, iprp.end), 'ipco')
  return boxesIn(bytes, start, end)
}

function* associationsIn(bytes: Buffer, { start }: Box): Iterable<[item: number, index: number]> {
  const countPart = partCounter()
  const wideIds = bytes.readUInt8(start) > 0
  const wideIndexes = (bytes.readUInt8(start + 3) & 1) === 1
  let at = start + 8
  for (let entries = bytes.readUInt32BE(start + 4); entries > 0; entries--) {
    const id = wideIds ? bytes.readUInt32BE(at) : bytes.readUInt16BE(at)
    at += wideIds ? 4 : 2
    let count = bytes.readUInt8(at++)
    countPart()
    for (; count > 0; count--) {
      countPart()
      yield [id, wideIndexes ? bytes.readUInt16BE(at) & 0x7fff : bytes.readUInt8(at) & 0x7f]
      at += wideIndexes ? 2 : 1
    }
  }
}

/** The items that others are made from, as often as they are used. */
function derivationsIn(bytes: Buffer, parts: Box[]): number[] {
  const iref = parts.find(({ type }) => type === 'iref')
  if (!iref) return []
  const idSize = bytes.readUInt8(iref.start) === 0 ? 2 : 4
  const countPart = partCounter()
  const used: number[] = []
  for (const { type, start } of boxesIn(bytes, iref.start + 4, iref.end)) {
    if (type !== 'dimg') continue
    const count = bytes.readUInt16BE(start + idSize)
    for (let index = 0; index < count; index++) {
      countPart()
      used.push(bytes.readUIntBE(start + idSize + 2 + index * idSize, idSize))
    }
  }
  return used
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

/** The type of each item. */
function itemsIn(bytes: Buffer, { start, end }: Box): Map<number, string> {
  const entriesAt = start + (bytes.readUInt8(start) === 0 ? 6 : 8)
  const items = boxesIn(bytes, entriesAt, end).map((entry): [number, string] => {
    const version = bytes.readUInt8(entry.start)
    // Entries before version 2 have no type, and AVIF has no such entries.
    if (version < 2) return [-1, '']
    const idSize = version === 2 ? 2 : 4
    const typeAt = entry.start + 4 + idSize + 2
    const id = bytes.readUIntBE(entry.start + 4, idSize)
    return [id, bytes.toString('latin1', typeAt, typeAt + 4)]
  })
  return new Map(items)
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
