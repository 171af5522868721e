import { crc32 } from 'node:zlib'
import { defaultLanguage } from '../../texts/languages.ts'
import { inWords, type Reason } from '../../texts/refusals.ts'

/**
 * Rewrites the containers of images without touching their pixels. What shows the picture is
 * copied by name; everything else, which is where places, names and foreign code hide, is left out.
 */

/** An image that is not as its format has it; the reason is for the uploader. */
export class UnfitImage extends Error {
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(inWords(defaultLanguage, reason), options)
    this.reason = reason
  }
}

const damaged = () => new UnfitImage('imageDamaged')

/** Each part costs something, however small it is. No camera and no encoder comes near this. */
const maxParts = 20_000

export function partCounter(): () => void {
  let parts = 0
  return () => {
    if (++parts > maxParts) throw new UnfitImage(['imageParts', { limit: maxParts }])
  }
}

/** A decoder passes over the whole picture once a scan. Encoders make about ten. */
const maxScans = 50

export function strippedJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let at = 2
  let scans = 0
  const countPart = partCounter()
  let orientation = 1
  let announcesMore = false
  for (;;) {
    countPart()
    const { marker, start } = nextMarker(bytes, at)
    if (marker === 0xd9) {
      requireNoTail(bytes.subarray(start), announcesMore)
      kept.push(Buffer.from([0xff, 0xd9]))
      break
    }
    // Restart marks belong to a scan, and a second picture inside the first to no format.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw damaged()
    const length = readable(bytes, start, 2).readUInt16BE(start)
    if (length < 2) throw damaged()
    const payload = slice(bytes, start + 2, length - 2)
    at = start + length
    if (isExif(marker, payload)) orientation = orientationOf(payload.subarray(6))
    if (startsWith(payload, 'MPF\0')) announcesMore = true
    const own = jpegSegment(marker, payload)
    if (own) kept.push(segment(marker, own))
    if (marker === 0xda) {
      if (++scans > maxScans) throw new UnfitImage(['imageScans', { limit: maxScans }])
      const end = scanEnd(bytes, at)
      kept.push(bytes.subarray(at, end))
      at = end
    }
  }
  if (orientation === 1) return Buffer.concat(kept)
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation)]))
  // JFIF wants to be the first segment, where there is one.
  const place = kept[1]?.[1] === 0xe0 ? 2 : 1
  return Buffer.concat(kept.toSpliced(place, 0, exif))
}

/** What is kept of a segment's payload; undefined drops it. */
function jpegSegment(marker: number, payload: Buffer): Buffer | undefined {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  if (!isApplication) return marker >= 0xf0 ? undefined : payload
  if (marker === 0xe0 && startsWith(payload, 'JFIF\0') && payload.length >= 14) {
    // The thumbnail that may follow is a second picture, which nobody has checked.
    return Buffer.concat([payload.subarray(0, 12), Buffer.from([0, 0])])
  }
  if (marker === 0xe2 && startsWith(payload, 'ICC_PROFILE\0')) return payload
  // Says how the colours are coded, in exactly twelve bytes.
  if (marker === 0xee && startsWith(payload, 'Adobe') && payload.length >= 12)
    return payload.subarray(0, 12)
  return undefined
}

function isExif(marker: number, payload: Buffer): boolean {
  return marker === 0xe1 && startsWith(payload, 'Exif\0')
}

function nextMarker(bytes: Buffer, at: number): { marker: number; start: number } {
  if (bytes[at] !== 0xff) throw damaged()
  let next = at
  while (bytes[next] === 0xff) next++
  const marker = bytes[next]
  if (marker === undefined || marker === 0) throw damaged()
  return { marker, start: next + 1 }
}

/** Where a scan's data ends: at the first mark that is neither a restart nor an escaped 0xff. */
function scanEnd(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    const next = bytes[at + 1]
    if (at < 0 || next === undefined) throw damaged()
    if (next === 0xff) at++
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else return at
  }
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

const pngSignature = 8
const pngChunks = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'acTL',
  'fcTL',
  'fdAT',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'bKGD',
  'pHYs',
])

export function strippedPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, pngSignature)]
  let orientation = 1
  let at = pngSignature
  const countPart = partCounter()
  for (let type = ''; type !== 'IEND';) {
    countPart()
    const length = readable(bytes, at, 8).readUInt32BE(at)
    const whole = slice(bytes, at, length + 12)
    type = whole.toString('latin1', 4, 8)
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) throw damaged()
    if (type === 'eXIf') orientation = orientationOf(whole.subarray(8, -4))
    // Lower case says that the picture can do without the chunk.
    else if (!pngChunks.has(type) && /^[^a-z]/.test(type)) throw damaged()
    if (pngChunks.has(type)) kept.push(whole)
    at += whole.length
  }
  requireNoTail(bytes.subarray(at))
  if (orientation === 1) return Buffer.concat(kept)
  // The first chunk is the head; the orientation may stand right after it.
  return Buffer.concat(kept.toSpliced(2, 0, pngChunk('eXIf', exifOf(orientation))))
}

function pngChunk(type: string, payload: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), payload, Buffer.alloc(4)])
  chunk.writeUInt32BE(payload.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

/** Frames of an animated PNG, by its own word; a plain one has one. */
export function pngFrames(bytes: Buffer): number {
  let at = pngSignature
  for (;;) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return Math.max(1, bytes.readUInt32BE(at + 8))
    if (type === 'IDAT' || type === 'IEND') return 1
    at += bytes.readUInt32BE(at) + 12
  }
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const webpFrameChunks = new Set(['VP8 ', 'VP8L', 'ALPH'])
const webpFlags = { xmp: 0x04, exif: 0x08 }

export function strippedWebp(bytes: Buffer): Buffer {
  const end = 8 + readable(bytes, 0, 12).readUInt32LE(4)
  if (end > bytes.length) throw damaged()
  requireNoTail(bytes.subarray(end))
  const kept: Buffer[] = []
  let orientation = 1
  for (const { type, payload } of riffChunks(bytes.subarray(12, end))) {
    if (type === 'EXIF')
      orientation = orientationOf(startsWith(payload, 'Exif\0\0') ? payload.subarray(6) : payload)
    if (webpChunks.has(type)) kept.push(riffChunk(type, webpPayload(type, payload)))
  }
  const [first] = kept
  if (first && startsWith(first, 'VP8X')) {
    const flags = first.readUInt8(8) & ~webpFlags.xmp & ~webpFlags.exif
    first.writeUInt8(orientation === 1 ? flags : flags | webpFlags.exif, 8)
    if (orientation !== 1) kept.push(riffChunk('EXIF', exifOf(orientation)))
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept])
  return riffChunk('RIFF', body)
}

/** A frame of an animation is a container of its own, behind sixteen bytes of place and time. */
function webpPayload(type: string, payload: Buffer): Buffer {
  if (type !== 'ANMF') return payload
  const chunks = riffChunks(slice(payload, 16, payload.length - 16))
    .filter((chunk) => webpFrameChunks.has(chunk.type))
    .map((chunk) => riffChunk(chunk.type, chunk.payload))
  return Buffer.concat([payload.subarray(0, 16), ...chunks])
}

function riffChunks(bytes: Buffer): { type: string; payload: Buffer }[] {
  const chunks: { type: string; payload: Buffer }[] = []
  const countPart = partCounter()
  let at = 0
  while (at < bytes.length) {
    countPart()
    const length = readable(bytes, at, 8).readUInt32LE(at + 4)
    const type = bytes.toString('latin1', at, at + 4)
    chunks.push({ type, payload: slice(bytes, at + 8, length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

function riffChunk(type: string, payload: Buffer): Buffer {
  const head = Buffer.concat([Buffer.from(type), Buffer.alloc(4)])
  head.writeUInt32LE(payload.length, 4)
  return Buffer.concat([head, payload, Buffer.alloc(payload.length % 2)])
}

export function strippedGif(bytes: Buffer): Buffer {
  const headLength = 13 + colourTableLength(readable(bytes, 0, 13).readUInt8(10))
  const kept: Buffer[] = [slice(bytes, 0, headLength)]
  let at = headLength
  const countPart = partCounter()
  for (;;) {
    countPart()
    const kind = bytes[at]
    if (kind === 0x3b) break
    const label = kind === 0x21 ? readable(bytes, at, 2).readUInt8(at + 1) : undefined
    if (kind !== 0x2c && label === undefined) throw damaged()
    const dataAt = label === undefined ? gifImageDataAt(bytes, at) : at + 2
    const end = subBlocksEnd(bytes, dataAt)
    if (label === undefined || label === 0xf9) kept.push(bytes.subarray(at, end))
    else if (label === 0xff) kept.push(...gifLoop(bytes.subarray(at, end)))
    at = end
  }
  // Old encoders close a picture more than once.
  requireNoTail(Buffer.from(bytes.subarray(at + 1).filter((byte) => byte !== 0x3b)))
  return Buffer.concat([...kept, Buffer.from([0x3b])])
}

/** Behind the descriptor and its colours stands the code size, then the data. */
function gifImageDataAt(bytes: Buffer, at: number): number {
  return at + 11 + colourTableLength(readable(bytes, at, 10).readUInt8(at + 9))
}

function colourTableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function subBlocksEnd(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const length = bytes[at]
    if (length === undefined) throw damaged()
    at += length + 1
    if (length === 0) return at
  }
}

/** How often an animation runs is the one extension of an application that shows. */
function gifLoop(extension: Buffer): Buffer[] {
  const name = extension.toString('latin1', 3, 14)
  const known = name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0'
  if (!known || extension.length < 19 || extension[14] !== 3 || extension[15] !== 1) return []
  return [Buffer.concat([extension.subarray(0, 18), Buffer.from([0])])]
}

/**
 * Whatever follows the end of a picture is another file to somebody: a page, an archive, a script.
 * Padding, and the further pictures that a camera has announced in the first, are cut off.
 */
function requireNoTail(tail: Buffer, isAnnounced = false): void {
  const fromCamera = isAnnounced || tail.subarray(-4).toString('latin1') === 'SEFT'
  const isPadding = tail.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d)
  if (!fromCamera && !isPadding) throw new UnfitImage('imageTrailingData')
}

/** The orientation that EXIF states, 1 to 8; anything unreadable counts as upright. */
function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return 1
  const little = order === 'II'
  const u16 = (at: number) =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < u16(first); entry++) {
    const at = first + 2 + entry * 12
    if (at + 12 > tiff.length) return 1
    if (u16(at) !== 0x0112) continue
    const value = u16(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** EXIF that states the orientation and nothing else. */
function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

function readable(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw damaged()
  return bytes
}

function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (length < 0 || at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}
