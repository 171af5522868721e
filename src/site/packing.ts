import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants } from 'node:zlib'
import { etagOf } from '../core/etags.ts'

/** The bytes of an answer, and the same compressed where that pays. */
export interface Packed {
  plain: Buffer
  brotli: Buffer | undefined
  etag: string
  /** Whether it is compressed as fast as can be, and not as well. */
  isRough: boolean
}

/** A shorter text takes as many packets either way. */
const minBytes = 1000
/** Takes about a millisecond at most. What is larger is handed to another thread, which takes twice as much in all. */
const maxBytesAtOnce = 64 * 1024

/**
 * Packs a text for its first reader, unless it is what was packed before. Most pages change before another
 * reader asks for them, and a low quality takes a third of the time. The lowest would take half of that, and
 * make a page a tenth larger.
 */
export async function packRoughly(text: string, before?: Packed): Promise<Packed> {
  const plain = Buffer.from(text)
  if (before?.plain.equals(plain)) return before
  if (plain.length <= minBytes)
    return { plain, brotli: undefined, etag: weakTagOf(plain), isRough: false }
  const isRough = plain.length <= maxBytesAtOnce
  const packed = isRough
    ? brotliCompressSync(plain, optionsFor(plain, 2))
    : await promisify(brotliCompress)(plain, optionsFor(plain, 5))
  const brotli = alone(packed)
  // Equal texts are packed alike, and there is less to hash.
  return { plain, brotli, etag: weakTagOf(brotli), isRough }
}

const weakTagOf = (bytes: Buffer) => `W/${etagOf(bytes)}`

/** Packs what is asked for again: a tenth smaller. */
export function packWell<Page extends Packed>(page: Page): Page {
  if (!page.isRough) return page
  const brotli = brotliCompressSync(page.plain, optionsFor(page.plain, 9))
  return { ...page, brotli: alone(brotli), isRough: false }
}

/** With a larger window the encoder clears tables of megabytes first. */
function optionsFor({ length }: Buffer, quality: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 16,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  }
}

/** The bytes without the rest of what was allocated for them: 16 kB, of which a page takes a quarter. */
function alone(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
