import type { Plan } from './training.ts'

const headerBytes = 16

/** A table as `word_vectors.ts` reads it: sizes, a scale for each row, and values of one byte. */
export function fileOf(table: Float32Array, { dimensions, rows }: Plan): Buffer {
  const file = Buffer.alloc(headerBytes + rows * 4 + rows * dimensions)
  file.write('VTAB', 'latin1')
  file.writeUInt32LE(dimensions, 4)
  file.writeUInt32LE(rows, 8)
  for (let row = 0; row < rows; row++) {
    const own = table.subarray(row * dimensions, (row + 1) * dimensions)
    const scale = Math.max(1e-8, ...own.map(Math.abs)) / 127
    file.writeFloatLE(scale, headerBytes + row * 4)
    for (const [index, value] of own.entries())
      file.writeInt8(Math.round(value / scale), headerBytes + rows * 4 + row * dimensions + index)
  }
  return file
}
