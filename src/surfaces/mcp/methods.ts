import { codes, type Generation, type Message, ProtocolRefusal, versions } from './messages.ts'
import type { Resource } from './resources.ts'
import { type Result, serverInfo } from './results.ts'

/** Answers of the methods other than tool calls, for one address. */
export interface Offer {
  /** The tool list as JSON text. */
  tools: () => string
  resources: Resource[]
  instructions: string
}

type Method = (offer: Offer, message: Message, generation: Generation) => Result

/** Lists never change while the service runs, so there are no change notifications. */
const capabilities = { tools: {}, resources: {} }

const sharedMethods: Record<string, Method> = {
  'tools/list': ({ tools }, { params }) => {
    requireNoCursor(params.cursor)
    return { members: `"tools":${tools()}`, cacheable: true }
  },
  'resources/list': ({ resources }, { params }) => {
    requireNoCursor(params.cursor)
    const items = resources.map(({ text, ...rest }) => ({
      ...rest,
      size: Buffer.byteLength(text),
    }))
    return { members: `"resources":${JSON.stringify(items)}`, cacheable: true }
  },
  'resources/templates/list': (_offer, { params }) => {
    requireNoCursor(params.cursor)
    return { members: '"resourceTemplates":[]', cacheable: true }
  },
  'resources/read': ({ resources }, { params }, generation) => {
    const { uri } = params
    const resource = resources.find((candidate) => candidate.uri === uri)
    if (!resource) throw noSuchResource(uri, generation)
    const contents = [{ uri, mimeType: resource.mimeType, text: resource.text }]
    return { members: `"contents":${JSON.stringify(contents)}`, cacheable: true }
  },
}

/** The methods of each generation; any other is not found. */
const methods: Record<Generation, Record<string, Method>> = {
  handshake: {
    ...sharedMethods,
    ping: () => ({ members: '' }),
    initialize: ({ instructions }, { params }) => {
      const requestedVersion = params.protocolVersion
      if (typeof requestedVersion !== 'string') throw invalidParams('protocolVersion is required.')
      const [preferred] = versions.handshake
      const protocolVersion =
        versions.handshake.find((version) => version === requestedVersion) ?? preferred
      return membersOf({ protocolVersion, capabilities, serverInfo, instructions })
    },
  },
  stateless: {
    ...sharedMethods,
    'server/discover': ({ instructions }) => ({
      ...membersOf({ supportedVersions: versions.stateless, capabilities, instructions }),
      cacheable: true,
    }),
  },
}

export function answerMethod(offer: Offer, message: Message, generation: Generation): Result {
  const ownMethods = methods[generation]
  const method = Object.hasOwn(ownMethods, message.method) ? ownMethods[message.method] : undefined
  if (!method) throw new ProtocolRefusal(404, codes.methodNotFound, 'There is no such method.')
  return method(offer, message, generation)
}

function membersOf(result: object): Result {
  return { members: JSON.stringify(result).slice(1, -1) }
}

export function invalidParams(problem: string, data?: unknown): ProtocolRefusal {
  return new ProtocolRefusal(200, codes.invalidParams, `Invalid params: ${problem}`, data)
}

/** Every list is a single page, so any cursor is invalid. */
function requireNoCursor(cursor: unknown): void {
  if (cursor !== undefined) throw invalidParams('there is no such cursor.')
}

function noSuchResource(uri: unknown, generation: Generation): ProtocolRefusal {
  if (typeof uri !== 'string') return invalidParams('uri is required.')
  if (generation === 'stateless') return invalidParams('there is no such resource.', { uri })
  const sentence = 'There is no such resource.'
  return new ProtocolRefusal(200, codes.resourceNotFound, sentence, { uri })
}
