import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { invalidInput } from '../../../core/errors.ts'
import type { Reason } from '../../../texts/refusals.ts'

/** Refuses the file, and says why. */
export const refusedFile = (reason: Reason) => invalidInput({ file: reason })

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1254'

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** How workbooks and other archives begin, which people send as tables. */
const archives = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Bytes to which Windows-1254 gives no character. */
const unassigned = new Set([0x81, 0x8d, 0x8e, 0x8f, 0x90, 0x9d, 0x9e])

/**
 * The text of a file, as often as it is asked for. The whole file is looked at first: a later byte may
 * tell what encoding it is in.
 */
export async function textOf(open: () => Readable): Promise<() => AsyncGenerator<string>> {
  const encoding = await recognise(open())
  return async function* () {
    const decoder = new TextDecoder(encoding, { fatal: true })
    const decoded = (chunk?: Buffer) => {
      const text = decodedBy(decoder, chunk)
      if (text === undefined) throw refusedFile('fileEncoding')
      if (text.includes('\0')) throw refusedFile('fileBinary')
      return text
    }
    for await (const chunk of open() as AsyncIterable<Buffer>) yield decoded(chunk)
    yield decoded()
  }
}

async function recognise(bytes: Readable): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let isWindows = true
  let isFirst = true
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (isFirst) {
      const begins = (start: number[]) => start.every((byte, index) => chunk[index] === byte)
      if (archives.some(begins)) throw refusedFile('fileArchive')
      const marked = marks.find(([, mark]) => begins(mark))
      if (marked) return marked[0]
      isFirst = false
    }
    if (chunk.includes(0)) throw refusedFile('fileBinary')
    isUtf8 &&= decodedBy(decoder, chunk) !== undefined
    isWindows &&= chunk.every((byte) => !unassigned.has(byte))
  }
  if (isUtf8 && decodedBy(decoder) !== undefined) return 'utf-8'
  if (!isWindows) throw refusedFile('fileEncoding')
  return 'windows-1254'
}

/** Undefined where the bytes are not text in this encoding. */
function decodedBy(decoder: TextDecoder, chunk?: Buffer): string | undefined {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch {
    return undefined
  }
}
