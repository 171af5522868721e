import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBudget } from '../../src/fairness/budget.ts'
import { ApiError, errorBody } from '../../src/core/errors.ts'
import type { ReceivedFile } from '../../src/operation.ts'
import { forms, readForm } from '../../src/surfaces/http/multipart.ts'
import { openConnection, requestText } from '../kit/raw_http.ts'

const folder = mkdtempSync(join(tmpdir(), 'multipart-'))
const disk = createBudget(10_000_000)
const limits = { ...forms.upload_media_files, files: 3, bytesPerFile: 100_000 }
let server: Server
let url: string

/** Returns the files read, or the refusal. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const space = { folder, holding: disk.open('someone') }
    const summaryOf = async ({ fileName, mimeType, read, discard }: ReceivedFile) => {
      const bytes = await read()
      await discard()
      return [fileName, mimeType, bytes.length, bytes.every((byte) => byte === bytes[0])]
    }
    const read = async () => (await readForm(request, space, limits)).files
    read().then(
      async (files) => {
        const summaries = await Promise.all(files.map(summaryOf))
        space.holding.release()
        response.end(JSON.stringify({ files: summaries }))
      },
      (error: unknown) => {
        const body = error instanceof ApiError ? errorBody(error, 'en') : { fault: String(error) }
        response.setHeader('Connection', 'close')
        response.end(JSON.stringify(body))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  // Whatever was refused or cut off has left nothing.
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
  server.close()
  server.closeAllConnections()
})

type Part = { name?: string; fileName?: string; type?: string; size?: number }

function form(parts: Part[]): FormData {
  const data = new FormData()
  for (const [index, part] of parts.entries()) {
    const { name = 'files', fileName = `${index}.png`, type = 'image/png', size = 10 } = part
    data.append(name, new Blob([Buffer.alloc(size, index)], { type }), fileName)
  }
  return data
}

async function send(body: FormData | string, type?: string) {
  const headers = type === undefined ? {} : { 'Content-Type': type }
  const response = await fetch(url, { method: 'POST', body, headers })
  return (await response.json()) as Record<string, unknown>
}

describe('the files of a multipart body', () => {
  test('arrive in order, each with its name and type', async () => {
    const parts = [{}, { fileName: 'b.jpg', type: 'image/jpeg', size: 7 }, {}]
    expect(await send(form(parts))).toEqual({
      files: [
        ['0.png', 'image/png', 10, true],
        ['b.jpg', 'image/jpeg', 7, true],
        ['2.png', 'image/png', 10, true],
      ],
    })
  })

  test.each(['ürün görseli.png', '商品.png', 'صورة.png', '🌹 rose.png', 'a"b.png', '%41;=,.png'])(
    'may be named %s',
    async (fileName) => {
      const { files } = (await send(form([{ fileName }]))) as { files: [string][] }
      // A browser escapes a quotation mark in a name as %22.
      expect(files[0]?.[0]).toBe(fileName.replace('"', '%22'))
    },
  )

  test('lose folders in their names', async () => {
    const { files } = (await send(form([{ fileName: 'C:\\photos\\rose.png' }]))) as {
      files: [string][]
    }
    expect(files[0]?.[0]).toBe('rose.png')
  })

  test('may be as many and as large as the limits allow', async () => {
    const full = { size: limits.bytesPerFile }
    const { files } = (await send(form([full, full, full]))) as { files: unknown[][] }
    expect(files.map(([, , size]) => size)).toEqual([100_000, 100_000, 100_000])
  })

  test('are refused if one is a byte too large', async () => {
    expect(await send(form([{}, { size: limits.bytesPerFile + 1 }]))).toEqual({
      status: 413,
      code: 'payload_too_large',
      message: 'A file is too large.',
      fieldErrors: { 'files.1': 'At most 100,000 bytes.' },
    })
  })

  test('are refused if the body exceeds the limit for all files', async () => {
    const { status, code } = await send(form([{ size: 400_000 }]))
    expect([status, code]).toEqual([413, 'payload_too_large'])
  })

  test.each<[string, Part[], string, string]>([
    ['one is too many', [{}, {}, {}, {}], 'files', 'At most 3 files.'],
    ['there is none', [], 'files', 'Required.'],
    ['one has another field', [{}, { name: 'images' }], 'images', 'Unknown field.'],
    [
      'one has too long a name',
      [{ fileName: `${'ü'.repeat(197)}.png` }],
      'files.0',
      'The file name may have at most 200 characters.',
    ],
  ])('are refused when %s', async (_case, parts, field, sentence) => {
    const { status, code, fieldErrors } = await send(form(parts))
    expect([status, code, fieldErrors]).toEqual([400, 'invalid_input', { [field]: sentence }])
  })

  test('may have a name of exactly 200 characters', async () => {
    const { files } = (await send(form([{ fileName: `${'🌹'.repeat(196)}.png` }]))) as {
      files: [string][]
    }
    expect([...(files[0]?.[0] ?? '')].length).toBe(200)
  })

  test('are refused together with a plain field', async () => {
    const data = form([{}])
    data.append('note', 'a text')
    const { status, fieldErrors } = await send(data)
    expect([status, fieldErrors]).toEqual([400, { note: 'Unknown field.' }])
  })
})

test('a list of files may be named with brackets, and a text in its place is refused', async () => {
  expect(await send(form([{ name: 'files[]', size: 3 }]))).toEqual({
    files: [['0.png', 'image/png', 3, true]],
  })
  const text = new FormData()
  text.append('files', 'rose.png')
  expect(await send(text)).toMatchObject({
    fieldErrors: { files: 'Must be a file: send it with a file name.' },
  })
})

describe('a malformed multipart body', () => {
  const part = [
    '--x',
    'Content-Disposition: form-data; name="files"; filename="a.png"',
    'Content-Type: image/png',
    '',
    'bytes',
  ].join('\r\n')
  const type = 'multipart/form-data; boundary=x'

  test.each([
    ['application/json', '{}'],
    ['image/png', 'bytes'],
    ['multipart/mixed; boundary=x', `${part}\r\n--x--\r\n`],
    ['multipart/form-data-not', `${part}\r\n--x--\r\n`],
  ])('is refused as %s', async (other, body) => {
    const { status, code } = await send(body, other)
    expect([status, code]).toEqual([415, 'unsupported_media_type'])
  })

  test('is refused without a boundary', async () => {
    const { status, fieldErrors } = await send(part, 'multipart/form-data')
    expect([status, fieldErrors]).toEqual([400, { body: 'The multipart boundary is missing.' }])
  })

  test.each([
    ['in a file', part],
    ['in the lines above a file', part.slice(0, 50)],
    ['after a file', `${part}\r\n--x\r\n`],
    ['with nothing of a multipart body in it', 'some text'],
  ])('is refused when it ends %s', async (_place, body) => {
    const { status, fieldErrors } = await send(body, type)
    expect([status, fieldErrors]).toEqual([400, { body: 'Not a well-formed multipart body.' }])
  })

  test.each([
    ['no name', 'The file has no name.', ''],
    ['a name that is not UTF-8', 'The file name has characters that cannot be stored.', '\xff.png'],
    ['a name that shows nothing', 'Must have at least one visible character.', '   '],
    ['NUL in its name', 'The file name has characters that cannot be stored.', 'a\0.png'],
  ])('is refused when a file has %s', async (_case, sentence, name) => {
    const text = `${part.replace('a.png', name)}\r\n--x--\r\n`
    const body = Buffer.from(text, 'latin1')
    const connection = await openConnection(url)
    const headers = { 'Content-Type': type, 'Content-Length': `${body.length}` }
    connection.send(requestText('POST', '/', { headers }))
    connection.send(body)
    const answer = JSON.parse((await connection.answer()).body) as Record<string, unknown>
    connection.close()
    expect([answer.status, answer.fieldErrors]).toEqual([400, { 'files.0': sentence }])
  })

  test('is refused wherever it is truncated', async () => {
    const sound = `${part}\r\n${part}\r\n--x--\r\n`
    for (let length = 1; length < sound.length - 4; length += 7) {
      const { status, code } = await send(sound.slice(0, length), type)
      expect([length, status, code]).toEqual([length, 400, 'invalid_input'])
    }
  })

  test('is read once it is well-formed', async () => {
    expect(await send(`${part}\r\n--x--\r\n`, type)).toEqual({
      files: [['a.png', 'image/png', 5, false]],
    })
  })
})
