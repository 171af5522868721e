import type { Contract, Operation } from './document.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  json: unknown
}

/** Rows are weighed before they are written as JSON, which is a little longer or shorter. */
const partsBytes = 900_000

/** What is wrong with an answer, by the document alone. */
export function judge(contract: Contract, operation: Operation, answer: Answer): string[] {
  const { status, headers, json, text } = answer
  if (status >= 500) return [`answers ${status}: ${text.slice(0, 200)}`]
  const declared = operation.responses.get(status)
  if (!declared) return [`answers ${status}, which it does not declare`]
  // Calls without a valid credential are counted by address, and are not told what is left. A list that
  // is sent in parts has no entity tag, as the document says.
  const isInParts = Buffer.byteLength(text) > partsBytes
  const isExpected = (name: string) =>
    name === 'ETag' ? !isInParts : status !== 401 || !name.startsWith('RateLimit')
  const faults = declared.headers
    .filter((name) => isExpected(name) && !headers.has(name))
    .map((name) => `${status} has no header ${name}`)
  if (declared.types.length === 0) {
    if (text !== '') faults.push(`${status} has a body`)
    return faults
  }
  const type = headers.get('content-type')?.split(';')[0] ?? 'none'
  if (!declared.types.includes(type)) faults.push(`${status} is of the type ${type}`)
  const validate = type === 'application/json' ? declared.validate?.() : undefined
  if (validate && !validate(json)) {
    const [error] = validate.errors ?? []
    const detail = JSON.stringify(error?.params)
    faults.push(`${status} is not as declared: ${error?.instancePath} ${error?.message} ${detail}`)
  }
  if (status >= 400) faults.push(...refusalFaults(contract, answer, declared.codes))
  return faults
}

/** A refusal is the error object, with its own status and a code that is listed for it. */
export function refusalFaults(
  contract: Contract,
  { status, headers, json }: Answer,
  codes: readonly string[],
): string[] {
  if (!contract.isRefusal()(json)) return [`${status} is no error object`]
  const { status: told, code } = json as { status: number; code: string }
  const faults: string[] = []
  if (told !== status) faults.push(`${status} says that its status is ${told}`)
  if (codes.length > 0 && !codes.includes(code))
    faults.push(`${status} has the code ${code}, which is not listed`)
  if (!headers.has('x-request-id')) faults.push(`${status} has no header X-Request-Id`)
  return faults
}
