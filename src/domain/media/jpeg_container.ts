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
      if (++scans > maxScans) throw new UnfitImage(`Has more than ${maxScans} scans.`)
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
