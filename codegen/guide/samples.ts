import type { ChainedCall } from '../postman/chain.ts'
import { type Item, itemsOf } from '../postman/collection.ts'
import type { Node, OpenApiDocument } from '../document.ts'
import {
  pythonText,
  pythonValue,
  shellBody,
  shellText,
  typescriptText,
  typescriptValue,
  withoutRun,
} from './values.ts'

/** A call as it is written in a language. */
export interface Sample {
  readonly language: 'sh' | 'ts' | 'python'
  readonly code: string
}

/** What a call sends, with variables in it. */
interface SampleCall {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON as text. */
  readonly json: string | undefined
  readonly parts: readonly { key: string; src?: string; value?: string }[]
  readonly file: string | undefined
}

/** The samples of every operation: the calls of the Postman collection, in three languages. */
export function samplesOf(document: OpenApiDocument): { call: ChainedCall; samples: Sample[] }[] {
  return itemsOf(document).map(({ call, item }) => {
    const sent = sentBy(item)
    const samples: Sample[] = [
      { language: 'sh', code: shell(sent) },
      { language: 'ts', code: typescript(sent) },
      { language: 'python', code: python(sent) },
    ]
    return { call, samples }
  })
}

function sentBy({ request }: Item): SampleCall {
  const { method, url, header, body, auth } = request as {
    method: string
    url: { raw: string }
    header: { key: string; value: string }[]
    body?: { mode: string; raw?: string; formdata?: SampleCall['parts']; file?: { src: string } }
    auth?: Node
  }
  // Retries have a page of their own.
  const others = header.filter(({ key }) => key !== 'Idempotency-Key')
  const headers = [
    ...(auth ? [] : [['Authorization', 'Bearer {{apiKey}}'] as const]),
    ...others.map(({ key, value }) => [key, value] as const),
    ...(body?.mode === 'raw' ? [['Content-Type', 'application/json'] as const] : []),
  ]
  return {
    method,
    url: url.raw,
    headers,
    json: body?.raw === undefined ? undefined : withoutRun(body.raw),
    parts: body?.formdata ?? [],
    file: body?.file?.src,
  }
}

function shell({ method, url, headers, json, parts, file }: SampleCall): string {
  const hasBody = json !== undefined || parts.length > 0
  const isUsual = method === (hasBody ? 'POST' : 'GET')
  const lines = [`curl${isUsual ? '' : ` -X ${method}`} ${shellText(url)}`]
  for (const [name, value] of headers) lines.push(`-H ${shellText(`${name}: ${value}`)}`)
  for (const { key, src, value } of parts)
    lines.push(`-F ${src === undefined ? `${key}=${value}` : `${key}=@${src}`}`)
  if (file !== undefined) lines.push(`--data-binary @${file}`)
  if (json !== undefined) lines.push(`-d @- ${shellBody(json)}`)
  return lines.join(' \\\n  ')
}

function typescript({ method, url, headers, json, parts, file }: SampleCall): string {
  const before: string[] = []
  if (parts.some(({ src }) => src !== undefined) || file !== undefined)
    before.push("import { openAsBlob } from 'node:fs'", '')
  if (json !== undefined) before.push(`const body = ${typescriptValue(JSON.parse(json))}`)
  if (file !== undefined) before.push(`const body = await openAsBlob('${file}')`)
  if (parts.length > 0) before.push('const body = new FormData()')
  for (const { key, src, value = '' } of parts)
    before.push(
      src === undefined
        ? `body.append('${key}', '${value}')`
        : `body.append('${key}', await openAsBlob('${src}', { type: '${typeOfFile(src)}' }), '${src}')`,
    )
  const lines = [`const response = await fetch(${typescriptText(url)}, {`]
  if (method !== 'GET') lines.push(`  method: '${method}',`)
  if (headers.length > 0) {
    const fields = headers.map(([name, value]) => {
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `    ${key}: ${typescriptText(value)},`
    })
    lines.push('  headers: {', ...fields, '  },')
  }
  if (json !== undefined) lines.push('  body: JSON.stringify(body),')
  else if (parts.length > 0 || file !== undefined) lines.push('  body,')
  lines.push('})', 'console.log(response.status, await response.text())')
  return [...before, ...lines].join('\n')
}

function python({ method, url, headers, json, parts, file }: SampleCall): string {
  const lines = [
    ...(json === undefined ? [] : ['import json']),
    'import os',
    'from urllib.request import Request, urlopen',
    '',
  ]
  const sent = [...headers]
  let data = ''
  if (json !== undefined) {
    lines.push(`body = ${pythonValue(JSON.parse(json))}`)
    data = ', data=json.dumps(body).encode()'
  } else if (file !== undefined) data = `, data=open("${file}", "rb").read()`
  else if (parts.length > 0) {
    lines.push('body = b""')
    for (const part of parts) lines.push(...pythonPart(part))
    lines.push('body += b"--part--\\r\\n"')
    sent.push(['Content-Type', 'multipart/form-data; boundary=part'])
    data = ', data=body'
  }
  const fields = sent.map(([name, value]) => `    "${name}": ${pythonText(value)},`)
  lines.push(
    ...(fields.length > 0 ? ['headers = {', ...fields, '}'] : ['headers = {}']),
    `url = ${pythonText(url)}`,
    `with urlopen(Request(url, method="${method}", headers=headers${data})) as response:`,
    '    print(response.status, response.read().decode())',
  )
  return lines.join('\n')
}

/** The standard library has no forms with files: a part is written out. */
function pythonPart({ key, src, value = '' }: SampleCall['parts'][number]): string[] {
  const name = `--part\\r\\nContent-Disposition: form-data; name=\\"${key}\\"`
  if (src === undefined) return [`body += b"${name}\\r\\n\\r\\n${value}\\r\\n"`]
  const type = `\\r\\nContent-Type: ${typeOfFile(src)}`
  const head = `${name}; filename=\\"${src}\\"${type}\\r\\n\\r\\n`
  return [`body += b"${head}" + open("${src}", "rb").read() + b"\\r\\n"`]
}

const typeOfFile = (name: string) => (name.endsWith('.png') ? 'image/png' : 'text/csv')
