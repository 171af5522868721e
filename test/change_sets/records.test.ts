import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/core/errors.ts'
import { type FileFormat, tableIn } from '../../src/domain/change_sets/files/records.ts'
import { textOf } from '../../src/domain/change_sets/files/text.ts'

/** The whole table of a file, or why it is refused. */
async function read(format: FileFormat, ...chunks: (string | Buffer)[]): Promise<unknown> {
  const open = () => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  try {
    const { columns, rows } = await tableIn(format, await textOf(open))
    const all: unknown[] = []
    for await (const row of rows) all.push(row)
    return [columns, ...all]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.fieldErrors
  }
}

describe('CSV', () => {
  test.each([
    ['commas', 'name,sku\nRose balm,RB-1\n'],
    ['semicolons', 'name;sku\r\nRose balm;RB-1\r\n'],
    ['tabs', 'name\tsku\nRose balm\tRB-1'],
    ['a line that says it', 'sep=;\nname;sku\nRose balm;RB-1\n'],
    ['empty lines', '\n\nname,sku\n\n,\nRose balm,RB-1\n\n'],
    ['a mark', '\ufeffname,sku\nRose balm,RB-1\n'],
    ['quotes', '"name","sku"\n"Rose balm","RB-1"\n'],
    ['line ends of all kinds', 'name,sku\rRose balm,RB-1\n'],
  ])('is read with %s', async (_kind, text) => {
    expect(await read('csv', text)).toEqual([
      ['name', 'sku'],
      ['Rose balm', 'RB-1'],
    ])
  })

  test('has quotes, separators and lines inside cells', async () => {
    const text = 'name;a,b\n"one ""two"";\nthree";5" wide\n'
    expect(await read('csv', text)).toEqual([
      ['name', 'a,b'],
      ['one "two";\nthree', '5" wide'],
    ])
  })

  const turkish = 'ad;açıklama\nGül suyu;Işıl ışıl ğüşöç İĞÜŞÖÇ €\n'
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const windows = (text: string) =>
    Buffer.from(
      [...text].map((letter) => {
        const [all, from] = ['ĞİŞğışI€', [0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe, 0x49, 0x80]] as const
        return from[all.indexOf(letter)] ?? letter.charCodeAt(0)
      }),
    )
  test.each([
    ['UTF-8', Buffer.from(turkish)],
    ['UTF-16', utf16(turkish)],
    ['UTF-16, the other way round', utf16(turkish).swap16()],
    ['Windows-1254', windows(turkish)],
  ])('is read in %s, wherever it is cut', async (_encoding, bytes) => {
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]))
    for (const parts of [[bytes], [bytes.subarray(0, 3), ...chunks.slice(3)]])
      expect(await read('csv', ...parts)).toEqual([
        ['ad', 'açıklama'],
        ['Gül suyu', 'Işıl ışıl ğüşöç İĞÜŞÖÇ €'],
      ])
  })

  test.each<[string, string | Buffer, unknown]>([
    ['NUL bytes', 'name\na\0b\n', 'fileBinary'],
    ['NUL in UTF-16', utf16('name\na\0b\n'), 'fileBinary'],
    ['half a letter of UTF-16', utf16('name\nab\n').subarray(0, 13), 'fileEncoding'],
    ['a zip in disguise', Buffer.from('504b0304aabb', 'hex'), 'fileArchive'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'fileArchive'],
    ['gzip', Buffer.from('1f8b0800', 'hex'), 'fileArchive'],
    ['bytes that are no letters', Buffer.from('name\n\xff\x81\n', 'latin1'), 'fileEncoding'],
    ['a column twice', 'Açıklama,sku,acıklama\n1,2,3\n', ['columnTwice', { name: 'acıklama' }]],
    ['201 columns', `${names(201)}\n1\n`, ['columnsMax', { count: 200 }]],
    ['a million columns', `${','.repeat(999_999)}\n`, tooLong(1)],
    ['a long line of names', `${'n'.repeat(600_001)},b\n1,2\n`, tooLong(1)],
    ['a long cell', `a,b\n1,2\n1,${'x'.repeat(600_001)}\n`, tooLong(3)],
    ['a cell of 5 MB', `a,b\n1,"${'x'.repeat(5_000_000)}"\n`, tooLong(2)],
    ['an open quote', 'a,b\n1,"2\n3,4\n', ['quoteNotClosed', { line: 3 }]],
  ])('with %s is refused', async (_fault, content, reason) => {
    expect(await read('csv', content)).toEqual({ file: reason })
  })

  test('with 200 columns and the longest cell is read', async () => {
    const cell = 'x'.repeat(600_000)
    expect(await read('csv', `${names(200)}\n${cell}\n`)).toEqual([names(200).split(','), [cell]])
  })
})

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `c${index}`).join()
}

function tooLong(line: number): unknown {
  return ['cellTooLong', { line, limit: 600_000 }]
}

describe('a text without an end', () => {
  test.each<[FileFormat, string, string]>([
    ['csv', '', 'a'],
    ['csv', 'a,b\n1,"', 'a'],
    ['csv', 'a,b\n1,', 'a'],
    ['ndjson', '{"name":"', 'a'],
    ['json', '[{"name":"', 'a'],
    ['json', '[', `["${'a'.repeat(1000)}",`],
    ['json', '[1,', ' '],
  ])('of %s after %j is given up in flat memory', async (format, begin, repeated) => {
    let sent = 0
    async function* text() {
      yield await Promise.resolve(begin)
      const chunk = repeated.repeat(65_536 / repeated.length)
      for (;;) {
        sent += chunk.length
        if (sent > 100_000_000) throw new Error('It was read on and on.')
        yield chunk
      }
    }
    const reading = async () => {
      const { rows } = await tableIn(format, text)
      while (!(await rows.next()).done);
    }
    await expect(reading()).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('JSON', () => {
  const rows = [
    { sku: 'RB-1', tags: ['a', 'b'] },
    { name: 'Gül', sku: 'RB-2' },
  ]
  const table = [
    ['sku', 'tags', 'name'],
    ['RB-1', ['a', 'b']],
    ['RB-2', undefined, 'Gül'],
  ]

  test('has a column for each name, as a list or by lines', async () => {
    expect(await read('json', JSON.stringify(rows, null, 2))).toEqual(table)
    const lines = rows.map((row) => JSON.stringify(row)).join('\r\n')
    expect(await read('ndjson', `\ufeff${lines}\n\n`)).toEqual(table)
    expect(await read('ndjson', ...lines)).toEqual(table)
    expect(await read('json', ...JSON.stringify(rows))).toEqual(table)
  })

  test.each<[FileFormat, string, unknown]>([
    ['ndjson', '{"sku":"1"}\n{"sku":\n', ['lineNotJson', { line: 2 }]],
    ['ndjson', '{"sku":"1"}\n[1]\n', ['rowNotObject', { row: 1 }]],
    ['ndjson', `{"sku":"${'x'.repeat(600_001)}"}`, ['valueTooLong', { row: 0, limit: 600_000 }]],
    ['ndjson', '{"sku":"\\u0000"}', ['rowUnstorable', { row: 0 }]],
    ['ndjson', '{"sku":["\\ud800"]}', ['rowUnstorable', { row: 0 }]],
    ['ndjson', '{"sku":[[[[[]]]]]}', ['rowUnstorable', { row: 0 }]],
    ['ndjson', '{"Name":1,"name":2}', ['columnTwice', { name: 'name' }]],
    ['json', '{"sku":"1"}', 'fileNotList'],
    ['json', '"sku"', 'fileNotList'],
    ['json', '[{"sku":"1"},]', 'fileNotJson'],
    ['json', '[{"sku":"1"}', 'fileNotJson'],
    ['json', '[1]', ['rowNotObject', { row: 0 }]],
  ])('as %s %s is refused', async (format, text, reason) => {
    expect(await read(format, text)).toEqual({ file: reason })
  })
})
