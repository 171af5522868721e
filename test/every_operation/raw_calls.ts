import type { OperationId } from '../../src/operation.ts'
import { exchange } from '../kit/raw_http.ts'
import { anImage, credentialOf, formOf, type Scene } from './fixtures.ts'
import { declarationOf, mainWayTo, rows } from './operations.ts'

/** Names the known fields, if there are any. */
export const unknownField = /^Unknown field(; known are \w+(, \w+)*)?\.$/

export interface RawCall {
  search?: string
  headers?: Record<string, string>
  /** Defaults to the contract's example. */
  body?: string | Buffer
}

export const exampleOf = (id: OperationId) => {
  if (rows[id].body === 'multipart') return formOf(id).body
  if (rows[id].body === 'bytes') return anImage()
  return rows[id].body ? JSON.stringify(declarationOf(id).bodyExamples[0]) : ''
}
const typeOf = (id: OperationId) => {
  if (rows[id].body === 'multipart') return formOf(id).headers
  if (rows[id].body === 'bytes') return { 'Content-Type': 'image/png' }
  return rows[id].body ? { 'Content-Type': 'application/json' } : {}
}

/** Calls in the current scene, written byte by byte. */
export function rawCallsIn(scene: () => Scene) {
  /** The head of an authorized call, including the empty line. */
  function headOf(id: OperationId, headers: Record<string, string>, search = ''): string {
    const { method, path } = rows[id]
    const target = path
      .replace('{workspaceId}', scene().workspace.id)
      .replaceAll(/\{\w+\}/g, 'none_of_these')
    const all = { Host: 'localhost', ...credentialOf(scene(), mainWayTo(id)), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    return `${method.toUpperCase()} ${target}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  }

  const urlOf = (id: OperationId) => scene().service.urls[mainWayTo(id).origin]

  async function attempt(id: OperationId, { search, headers = {}, body = exampleOf(id) }: RawCall) {
    const bytes = Buffer.from(body)
    const length = bytes.length > 0 ? { 'Content-Length': `${bytes.length}` } : {}
    const head = Buffer.from(headOf(id, { ...typeOf(id), ...length, ...headers }, search))
    const answer = await exchange(urlOf(id), Buffer.concat([head, bytes]))
    return { ...answer, error: answer.status < 400 ? undefined : JSON.parse(answer.body) }
  }

  return { headOf, attempt }
}
