import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { reducedProfile } from './icc_profile.ts'
import {
  damaged,
  exifOf,
  orientationOf,
  partCounter,
  readable,
  requireNoTail,
  slice,
} from './image_containers.ts'

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
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'bKGD',
  'pHYs',
])

export function strippedPng(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [bytes.subarray(0, pngSignature)]
  let orientation = 1
  let at = pngSignature
  const countPart = partCounter()
  for (let type = ''; type !== 'IEND';) {
    countPart()
    const length = readable(bytes, at, 8).readUInt32BE(at)
    const chunk = slice(bytes, at, length + 12)
    type = chunk.toString('latin1', 4, 8)
    if (crc32(chunk.subarray(4, -4)) !== chunk.readUInt32BE(chunk.length - 4)) throw damaged()
    if (type === 'eXIf') orientation = orientationOf(chunk.subarray(8, -4))
    // A lower-case first letter marks an ancillary chunk, which the picture does not need.
    else if (!pngChunks.has(type) && /^[^a-z]/.test(type)) throw damaged()
    if (type === 'iCCP') chunks.push(...profileChunk(chunk.subarray(8, -4)))
    else if (pngChunks.has(type)) chunks.push(chunk)
    at += chunk.length
  }
  requireNoTail(bytes.subarray(at))
  if (orientation === 1) return Buffer.concat(chunks)
  // The first chunk is the header; the orientation may come right after it.
  return Buffer.concat(chunks.toSpliced(2, 0, pngChunk('eXIf', exifOf(orientation))))
}

/** More than any profile; it comes compressed. */
const maxProfileBytes = 8 * 1024 * 1024
const profileHead = Buffer.from('icc\0\0', 'latin1')

/** The colour profile with only what converts colours; none if it cannot be read. */
function profileChunk(payload: Buffer): Buffer[] {
  const nameEnd = payload.indexOf(0)
  let profile: Buffer | undefined
  try {
    const whole = inflateSync(payload.subarray(nameEnd + 2), { maxOutputLength: maxProfileBytes })
    profile = reducedProfile(whole)
  } catch {
    // Damaged or too large. The picture does not depend on it.
  }
  return profile ? [pngChunk('iCCP', Buffer.concat([profileHead, deflateSync(profile)]))] : []
}

function pngChunk(type: string, payload: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), payload, Buffer.alloc(4)])
  chunk.writeUInt32BE(payload.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

/** Declared frames of an animated PNG; 1 for a plain one. */
export function pngFrames(bytes: Buffer): number {
  let at = pngSignature
  for (;;) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return Math.max(1, bytes.readUInt32BE(at + 8))
    if (type === 'IDAT' || type === 'IEND') return 1
    at += bytes.readUInt32BE(at) + 12
  }
}

/** Pixels of all declared frames. The header is the first chunk. */
export function pngPixels(bytes: Buffer): number {
  readable(bytes, 16, 8)
  return bytes.readUInt32BE(16) * bytes.readUInt32BE(20) * pngFrames(bytes)
}
