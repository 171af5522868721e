import { literal, table } from './literals.ts'
import { locationOf } from './locations.ts'
import type { Contract, Operation } from './model.ts'

/** Emits the tables that every surface reads: where an operation is served and what it requires. */
export function emitOperations(contract: Contract): string {
  const operations = contract.operations.map((operation) => {
    const { id, method, path, tag, surface, auth, scope, status, tool, body } = operation
    const toolOnly = tool.only === true
    const shortAnswer = tool.answer !== undefined
    const { summary = null, visitors = null } = tool
    const row = {
      method,
      path,
      tag,
      surface,
      auth,
      scope,
      status,
      toolOnly,
      shortAnswer,
      summary,
      visitors,
    }
    const takes = (header: string) =>
      operation.parameters.some(({ value }) => value.in === 'header' && value.name === header)
    const takesIdempotencyKey = takes('Idempotency-Key')
    const revalidates = takes('If-None-Match')
    const answersEtag = operation.responses.some(
      ({ status: each, value }) => each.startsWith('2') && 'ETag' in (value.headers ?? {}),
    )
    const streams = operation.responses.some(
      ({ value }) => 'text/event-stream' in (value.content ?? {}),
    )
    const location = locationOf(contract, operation)
    const headers = { takesIdempotencyKey, revalidates, answersEtag, streams, location }
    return `${id}: ${literal({ ...row, body: bodyKind(body), ...headers })}`
  })
  const scopes = contract.scopes.map(({ name, meaning }) => `${literal(name)}: ${literal(meaning)}`)
  const errorCodes = contract.errorCodes.map(
    ({ name, status, meaning }) => `${name}: ${literal({ status, meaning })}`,
  )
  return [
    '/** Where each operation is served and what it requires of a caller. */',
    table('operations', operations),
    'export type OperationId = keyof typeof operations',
    '',
    '/** What each scope allows a key or an agent to do, in the words of the consent page. */',
    table('scopes', scopes),
    'export type Scope = keyof typeof scopes',
    '',
    '/** The closed list of error codes, with status and meaning. */',
    table('errorCodes', errorCodes),
    'export type ErrorCode = keyof typeof errorCodes',
    '',
    '/** Names of fields and headers that contain a secret, for log redaction. */',
    `export const secretFields = [${contract.secretFields.map(literal).join(', ')}] as const`,
    `export const secretHeaders = [${contract.secretHeaders.map(literal).join(', ')}] as const`,
    '',
  ].join('\n')
}

/** The encoding of a request body: neither JSON nor multipart means raw bytes. */
function bodyKind(body: Operation['body']): 'json' | 'multipart' | 'bytes' | null {
  if (body === undefined) return null
  const { content } = body.value
  if ('multipart/form-data' in content) return 'multipart'
  return 'application/json' in content ? 'json' : 'bytes'
}
