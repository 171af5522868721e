import {
  damaged,
  exifOf,
  orientationOf,
  partCounter,
  readable,
  requireNoTail,
  slice,
  startsWith,
  UnfitImage,
} from './image_containers.ts'
import { reducedProfile } from './icc_profile.ts'

/** A decoder makes a full pass over the picture per scan. Encoders write about ten. */
const maxScans = 50

export function strippedJpeg(bytes: Buffer): Buffer {
  const segments: Buffer[] = [bytes.subarray(0, 2)]
  let at = 2
  let scans = 0
  const countPart = partCounter()
  let orientation = 1
  let announcesMore = false
  const profile: ProfilePieces = new Map()
  for (;;) {
    countPart()
    const { marker, start } = nextMarker(bytes, at)
    if (marker === 0xd9) {
      requireNoTail(bytes.subarray(start), announcesMore)
      segments.push(Buffer.from([0xff, 0xd9]))
      break
    }
    // Restart markers belong inside a scan, and no format nests a second picture.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw damaged()
    const length = readable(bytes, start, 2).readUInt16BE(start)
    if (length < 2) throw damaged()
    const payload = slice(bytes, start + 2, length - 2)
    at = start + length
    if (isExif(marker, payload)) orientation = orientationOf(payload.subarray(6))
    if (startsWith(payload, 'MPF\0')) announcesMore = true
    if (isProfile(marker, payload)) profile.set(payload[profileName.length] ?? 0, payload)
    const content = jpegSegment(marker, payload)
    if (content) segments.push(segment(marker, content))
    if (marker === 0xda) {
      if (++scans > maxScans) throw new UnfitImage(['imageScans', { limit: maxScans }])
      const end = scanEnd(bytes, at)
      segments.push(bytes.subarray(at, end))
      at = end
    }
  }
  const exif =
    orientation === 1
      ? []
      : [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation)]))]
  // JFIF must be the first segment if present.
  const place = segments[1]?.[1] === 0xe0 ? 2 : 1
  return Buffer.concat(segments.toSpliced(place, 0, ...exif, ...profileSegments(profile)))
}

/** As many as encoders write. */
const usualScans = 10

/** Pixels that a decoder goes through: more than usual, if it is to go over them again and again. */
export function jpegPixels(bytes: Buffer): number {
  let [pixels, scans] = [0, 0]
  const countPart = partCounter()
  for (let at = 2; ;) {
    countPart()
    const { marker, start } = nextMarker(bytes, at)
    if (marker === 0xd9 || scans > maxScans) break
    readable(bytes, start, 7)
    at = start + bytes.readUInt16BE(start)
    // The frame's header, which some other tables share a range with.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      pixels = Math.max(pixels, bytes.readUInt16BE(start + 3) * bytes.readUInt16BE(start + 5))
    if (marker === 0xda) {
      scans++
      at = scanEnd(bytes, at)
    }
  }
  return pixels * Math.max(1, Math.ceil(scans / usualScans))
}

/** The pieces of a colour profile by their numbers; the payload of a segment is one of them. */
type ProfilePieces = Map<number, Buffer>
const profileName = 'ICC_PROFILE\0'
const profileHead = profileName.length + 2
const maxPiece = 65_519

function isProfile(marker: number, payload: Buffer): boolean {
  return marker === 0xe2 && startsWith(payload, profileName)
}

function profileSegments(pieces: ProfilePieces): Buffer[] {
  const inOrder = [...pieces].toSorted(([a], [b]) => a - b)
  const whole = Buffer.concat(inOrder.map(([, payload]) => payload.subarray(profileHead)))
  const profile = reducedProfile(whole)
  if (!profile) return []
  const count = Math.ceil(profile.length / maxPiece)
  return Array.from({ length: count }, (_, index) => {
    const head = Buffer.from(`${profileName}${String.fromCharCode(index + 1, count)}`, 'latin1')
    const piece = profile.subarray(index * maxPiece, (index + 1) * maxPiece)
    return segment(0xe2, Buffer.concat([head, piece]))
  })
}

/** The part of a segment's payload to keep; undefined drops the segment. */
function jpegSegment(marker: number, payload: Buffer): Buffer | undefined {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  if (!isApplication) return marker >= 0xf0 ? undefined : payload
  if (marker === 0xe0 && startsWith(payload, 'JFIF\0') && payload.length >= 14) {
    // Drop the thumbnail that may follow: it is a second, unchecked picture.
    return Buffer.concat([payload.subarray(0, 12), Buffer.from([0, 0])])
  }
  // The colour encoding, in exactly twelve bytes.
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

/** The end of a scan's data: the first marker that is neither a restart nor an escaped 0xff. */
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
