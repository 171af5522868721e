import {
  damaged,
  exifOf,
  orientationOf,
  partCounter,
  readable,
  requireNoTail,
  slice,
  startsWith,
} from './image_containers.ts'
import { reducedProfile } from './icc_profile.ts'

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'])
const webpFrameChunks = new Set(['VP8 ', 'VP8L', 'ALPH'])
const webpFlags = { xmp: 0x04, exif: 0x08, profile: 0x20 }

export function strippedWebp(bytes: Buffer): Buffer {
  const end = 8 + readable(bytes, 0, 12).readUInt32LE(4)
  if (end > bytes.length) throw damaged()
  requireNoTail(bytes.subarray(end))
  const chunks: Buffer[] = []
  let orientation = 1
  let hasProfile = false
  for (const { type, payload } of riffChunks(bytes.subarray(12, end))) {
    if (type === 'EXIF')
      orientation = orientationOf(startsWith(payload, 'Exif\0\0') ? payload.subarray(6) : payload)
    const profile = type === 'ICCP' ? reducedProfile(payload) : undefined
    if (profile) {
      hasProfile = true
      chunks.push(riffChunk(type, profile))
    }
    if (webpChunks.has(type)) chunks.push(riffChunk(type, webpPayload(type, payload)))
  }
  const [first] = chunks
  if (first && startsWith(first, 'VP8X')) {
    const { xmp, exif, profile } = webpFlags
    const kept = first.readUInt8(8) & ~(xmp | exif | profile)
    first.writeUInt8(kept | (orientation === 1 ? 0 : exif) | (hasProfile ? profile : 0), 8)
    if (orientation !== 1) chunks.push(riffChunk('EXIF', exifOf(orientation)))
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return riffChunk('RIFF', body)
}

/** Pixels of all frames; each is drawn on the whole canvas. */
export function webpPixels(bytes: Buffer): number {
  const chunks = riffChunks(bytes.subarray(12))
  const frames = chunks.filter(({ type }) => type === 'ANMF').length
  return canvasOf(chunks[0]) * Math.max(1, frames)
}

/** The first chunk says how large the canvas is, in one of three ways. */
function canvasOf(first: { type: string; payload: Buffer } | undefined): number {
  if (!first) throw damaged()
  const { type, payload } = first
  if (type === 'VP8X') return (payload.readUIntLE(4, 3) + 1) * (payload.readUIntLE(7, 3) + 1)
  if (type === 'VP8 ')
    return (payload.readUInt16LE(6) & 0x3fff) * (payload.readUInt16LE(8) & 0x3fff)
  const bits = payload.readUInt32LE(1)
  return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1)
}

/** An animation frame is a nested container after sixteen bytes of position and timing. */
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
