/*
 * Archives in the format of tar (POSIX ustar), which every system can list and unpack. Only plain files,
 * whose size is known before their first byte.
 */

const blockBytes = 512

export interface ArchiveEntry {
  name: string
  size: number
  body: AsyncIterable<Buffer>
}

/** The header of a file. A long name is split at a slash, as the format wants it. */
export function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const { prefix, rest } = splitName(name)
  header.write(rest, 0, 100)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${'0'.repeat(11)}\0`, 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345, 155)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function splitName(name: string): { prefix: string; rest: string } {
  if (name.length <= 100) return { prefix: '', rest: name }
  const at = name.lastIndexOf('/')
  const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
  if (at < 0 || prefix.length > 155 || rest.length > 100)
    throw new Error('The name is too long for an archive.')
  return { prefix, rest }
}

/** What follows a file of this size, up to the next header. */
export const paddingOf = (size: number): Buffer =>
  Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)

/** The end of an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes)

/** Reads the files of an archive in order. What is not read of a file is passed over. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const reader = readerOf(source)
  for (;;) {
    const header = await reader.whole(blockBytes)
    if (header === undefined) throw new Error('The archive ends before its end.')
    if (header.every((byte) => byte === 0)) return
    const text = (from: number, length: number) =>
      header.toString('utf8', from, from + length).split('\0')[0]!
    const size = parseInt(text(124, 12), 8)
    if (text(257, 5) !== 'ustar' || !Number.isSafeInteger(size))
      throw new Error('This is not an archive of this service.')
    const prefix = text(345, 155)
    const body = reader.part(size)
    yield { name: `${prefix && `${prefix}/`}${text(0, 100)}`, size, body }
    for await (const rest of body) void rest
    await reader.whole(paddingOf(size).length)
  }
}

function readerOf(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  /** At least one byte and at most so many; undefined at the end. */
  async function some(most: number): Promise<Buffer | undefined> {
    while (held.length === 0) {
      const next = await chunks.next()
      if (next.done) return undefined
      held = next.value
    }
    const bytes = held.subarray(0, most)
    held = held.subarray(bytes.length)
    return bytes
  }

  return {
    async whole(length: number): Promise<Buffer | undefined> {
      const parts: Buffer[] = []
      for (let missing = length; missing > 0;) {
        const bytes = await some(missing)
        if (bytes === undefined) return undefined
        parts.push(bytes)
        missing -= bytes.length
      }
      return Buffer.concat(parts)
    },
    async *part(length: number): AsyncGenerator<Buffer> {
      for (let missing = length; missing > 0;) {
        const bytes = await some(missing)
        if (bytes === undefined) throw new Error('The archive ends before its end.')
        missing -= bytes.length
        yield bytes
      }
    },
  }
}
