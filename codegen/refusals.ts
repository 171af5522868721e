import { isNode, valueAt, type Node, type OpenApiDocument } from './document.ts'
import { codesIn, type Contract, type Operation } from './model.ts'

/** Codes of every call with an account key, and of those to a workspace. */
const keyCodes = ['unauthenticated', 'token_expired', 'token_revoked', 'wrong_environment']
const rightsCodes = ['insufficient_scope', 'account_inactive', 'source_blocked']
const workspaceCodes = ['not_owner', 'workspace_inactive']
const retryCodes = ['idempotency_mismatch', 'idempotency_in_progress']

/** Codes that follow from the status alone. */
const statusCodes = [
  'invalid_input',
  'insufficient_credits',
  'wallet_in_debt',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal',
  'unavailable',
]

/** Codes that need no mention in x-codes: they follow from credential, path, headers and status. */
export function usualCodes({ auth, path, surface, tag, id, parameters }: Operation): string[] {
  const takes = (header: string) => parameters.some(({ value }) => value.name === header)
  const byKey = auth === 'accountKey'
  return [
    ...statusCodes,
    ...(byKey ? [...keyCodes, ...rightsCodes] : []),
    ...(byKey && path.includes('{workspaceId}') ? workspaceCodes : []),
    ...(surface === 'experience' && id !== 'get_bootstrap' ? ['access_restricted'] : []),
    ...(surface === 'experience' ? ['origin_refused'] : []),
    ...(tag === 'storefront' ? ['sign_in_required'] : []),
    ...(takes('If-Match') ? ['write_conflict'] : []),
    ...(takes('Idempotency-Key') ? retryCodes : []),
  ]
}

/** The codes that an operation can answer with a status, in the order of the enum. */
export function codesOf(contract: Contract, operation: Operation, status: string): string[] {
  const answered = new Set([...usualCodes(operation), ...codesIn(operation)])
  return contract.errorCodes
    .filter((code) => String(code.status) === status && answered.has(code.name))
    .map(({ name }) => name)
}

/** What people call a resource whose path says something else. */
const spokenNouns: Record<string, string> = {
  'change-set': 'change set',
  thread: 'conversation',
  unanswered: 'question',
}

/** What a path's ids stand for, in the words of a refusal: "product" for `products/{id}`. */
function nounsIn({ path }: Operation): string[] {
  const ids = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)]
  return ids
    .filter(([, , name]) => name !== 'workspaceId')
    .map(([, segment = '', name = '']) => {
      const noun =
        /^(\w+)(?:Id|Slug)$/.exec(name)?.[1] ?? segment.replace(/ies$/, 'y').replace(/s$/, '')
      return spokenNouns[noun] ?? noun
    })
}

/** An upload URL has no scope of its own: it keeps to that of the call that made it. */
const scopeOf = ({ scope, tag }: Operation) => scope ?? `${tag}:write`

/** What takes the place of a slot in a refusal; undefined where the message has none. */
function wordsFor(operation: Operation, message: string): string[] | undefined {
  if (message.includes('{scope}')) return [scopeOf(operation)]
  if (!message.includes('{noun}')) return undefined
  const nouns = nounsIn(operation)
  // A chat names its conversation in the body.
  return nouns.length > 0 ? nouns : ['conversation']
}

interface OperationRefusal {
  readonly base: string
  readonly owner: Operation
  readonly codes: readonly string[]
  /** The words that fill its examples. */
  readonly words: readonly string[]
  readonly response: Node
}

/** A shared response with the codes and examples of one operation. */
function refusalOf(
  contract: Contract,
  operation: Operation,
  status: string,
): OperationRefusal | undefined {
  const { $ref } = (operation.source.responses?.[status] ?? {}) as Node
  const base = /^#\/components\/responses\/(\w+)$/.exec(String($ref))?.[1]
  const shared = valueAt(contract.document, ['components', 'responses', base ?? ''])
  const codes = codesOf(contract, operation, status)
  if (base === undefined || !isNode(shared) || codes.length === 0) return undefined
  const examples: Record<string, Node> = {}
  const filled: string[] = []
  for (const code of codes) {
    const value = valueAt(contract.document, ['components', 'examples', code, 'value']) as Node
    const words = wordsFor(operation, String(value.message))
    if (words === undefined) examples[code] = { $ref: `#/components/examples/${code}` }
    for (const word of words ?? []) {
      const message = String(value.message).replace(/\{\w+\}/, word)
      const name = words?.length === 1 ? code : `${code}_${word}`
      examples[name] = { value: { ...value, message } }
      filled.push(word)
    }
  }
  const { description, content = {} } = shared
  const json = { ...((content as Node)['application/json'] as Node), examples }
  const listed = codes.map((code) => `\`${code}\``).join(', ')
  const response = {
    ...shared,
    headers: { ...(shared.headers as Node), ...limitHeaders(contract.document) },
    description: `${String(description)} Codes: ${listed}.`,
    content: { 'application/json': json },
  }
  return { base, owner: operation, codes, words: filled, response }
}

/** What answers to a key tell of its limits, refusals included; nothing in a contract without limits. */
export function limitHeaders(document: OpenApiDocument): Node {
  if (valueAt(document, ['components', 'headers', 'RateLimit']) === undefined) return {}
  return {
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  }
}

const pascal = (text: string) =>
  text.replace(/(?:^|[_: ])([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** Codes that go together, and what a name says of them. */
const families: readonly (readonly [label: string, codes: readonly string[]])[] = [
  ['Key', keyCodes],
  ['', rightsCodes],
  ['OnSite', [...workspaceCodes, 'access_restricted', 'origin_refused']],
  ['InWorkspace', workspaceCodes],
  ['Retry', retryCodes],
  ['Visitor', ['sign_in_required', 'visitor_required']],
  ['Challenge', ['challenge_required', 'challenge_failed']],
  ['Subdomain', ['subdomain_unavailable', 'subdomain_cooldown']],
]

const maxNameLength = 40

/**
 * Names that say what sets a response apart from others of its kind. A long one gives way to the tag of
 * its operation, or to the operation.
 */
function namesOf(
  { base, owner, codes, words }: OperationRefusal,
  kin: readonly OperationRefusal[],
): string[] {
  const labels: string[] = []
  let own = codes.filter((code) => !kin.every((other) => other.codes.includes(code)))
  for (const [label, family] of families) {
    if (!family.every((code) => codes.includes(code))) continue
    if (family.some((code) => own.includes(code))) labels.push(label)
    own = own.filter((code) => !family.includes(code))
  }
  const name = [base, ...words.map(pascal), ...labels, ...own.map(pascal)].join('')
  const shorter = [base + pascal(owner.tag), base + pascal(owner.id)]
  return name.length > maxNameLength ? shorter : [name]
}

/** Responses by name, and the name for each operation and status. */
export interface PublishedRefusals {
  readonly responses: Readonly<Record<string, Node>>
  readonly nameFor: (operation: Operation, status: string) => string | undefined
}

/** The refusals of operations, each written once however many operations share it. */
export function refusalsOf(
  contract: Contract,
  operations: readonly Operation[],
): PublishedRefusals {
  const refusals = operations.flatMap((operation) =>
    Object.keys(operation.source.responses ?? {}).flatMap((status) => {
      const refusal = refusalOf(contract, operation, status)
      return refusal ? [{ key: `${operation.id} ${status}`, refusal }] : []
    }),
  )
  const kinOf = ({ base }: OperationRefusal) =>
    refusals.map(({ refusal }) => refusal).filter((other) => other.base === base)
  const names = new Map<string, string>()
  const responses: Record<string, Node> = {}
  for (const { key, refusal } of refusals) {
    const { response } = refusal
    const isFree = (name: string) =>
      responses[name] === undefined || JSON.stringify(responses[name]) === JSON.stringify(response)
    const candidates = namesOf(refusal, kinOf(refusal))
    const name = candidates.find(isFree)
    if (name === undefined) throw new Error(`Two refusals would be published as ${candidates[0]}.`)
    names.set(key, name)
    responses[name] = response
  }
  return {
    responses,
    nameFor: ({ id }, status) => names.get(`${id} ${status}`),
  }
}
