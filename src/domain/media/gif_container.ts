import { damaged, partCounter, readable, requireNoTail, slice } from './image_containers.ts'

export function strippedGif(bytes: Buffer): Buffer {
  const headLength = 13 + colourTableLength(readable(bytes, 0, 13).readUInt8(10))
  const blocks: Buffer[] = [slice(bytes, 0, headLength)]
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
    if (label === undefined || label === 0xf9) blocks.push(bytes.subarray(at, end))
    else if (label === 0xff) blocks.push(...gifLoop(bytes.subarray(at, end)))
    at = end
  }
  // Old encoders write the trailer more than once.
  requireNoTail(Buffer.from(bytes.subarray(at + 1).filter((byte) => byte !== 0x3b)))
  return Buffer.concat([...blocks, Buffer.from([0x3b])])
}

/** Pixels of all frames; each is drawn on the whole canvas. */
export function gifPixels(bytes: Buffer): number {
  readable(bytes, 0, 13)
  let canvas = bytes.readUInt16LE(6) * bytes.readUInt16LE(8)
  let frames = 0
  const countPart = partCounter()
  for (let at = 13 + colourTableLength(bytes.readUInt8(10)); ;) {
    countPart()
    const kind = bytes[at]
    if (kind !== 0x2c && kind !== 0x21) return canvas * Math.max(1, frames)
    if (kind === 0x2c) {
      frames++
      readable(bytes, at, 10)
      canvas = Math.max(canvas, bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7))
    }
    at = subBlocksEnd(bytes, kind === 0x2c ? gifImageDataAt(bytes, at) : at + 2)
  }
}

/** The descriptor and its colour table are followed by the code size, then the data. */
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

/** The loop count is the only application extension that affects what is shown. */
function gifLoop(extension: Buffer): Buffer[] {
  const name = extension.toString('latin1', 3, 14)
  const isLoop = name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0'
  if (!isLoop || extension.length < 19 || extension[14] !== 3 || extension[15] !== 1) return []
  return [Buffer.concat([extension.subarray(0, 18), Buffer.from([0])])]
}
