import { isDeepStrictEqual } from 'node:util'
import { type Call, type Caller, createCaller, inParallel } from './caller.ts'
import type { Operation, Schema } from './document.ts'
import type { Answer } from './judge.ts'

/*
 * What a run may touch: resources that it makes itself and removes again, and settings that it writes as
 * they are. A POST that makes something which no DELETE of the document removes is never carried out.
 */

export interface Scene {
  caller: Caller
  /** Sends a call, and remembers what it creates. */
  send: (operation: Operation, call?: Call) => Promise<Answer>
  /** Operations whose resources can be removed again. */
  creators: Operation[]
  /** Operations that write what another reads at the same path, one for the whole workspace. */
  settings: { write: Operation; read: Operation }[]
  /** Operations that change a resource of the scene. */
  changes: Operation[]
  /** The ids of a path, as far as the scene has such resources. */
  ownPath: (operation: Operation) => Record<string, string> | undefined
  /** A body as the document shows it, with names that no other resource has and ids of the scene. */
  exampleOf(operation: Operation): object
  /** A call that does no harm even if it is not refused for the reason that is tested. */
  harmless(operation: Operation): Call
  /** Removes what was made and says what differs from before. */
  leave(): Promise<string[]>
}

interface Made {
  removal: Operation
  path: Record<string, string>
}

const idsIn = (path: string) =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)]
    .map(([, kind = '', name = '']) => ({ kind, name }))
    .filter(({ name }) => name !== 'workspaceId')

/** Fields that no two resources of a workspace share. */
const uniqueFields = new Set(['name', 'sku', 'barcode'])

const shownId = /^([a-z]+)_[0-9a-z]{26}$/

export async function openScene(caller: Caller): Promise<Scene> {
  const { contract, report } = caller
  const { operations } = contract
  const operationAt = (method: string, path: string | undefined) =>
    operations.find((operation) => operation.method === method && operation.path === path)
  const made: Made[] = []
  const ownOfKind = new Map<string, string>()
  const ownOfPrefix = new Map<string, string>()
  let names = 0

  const readOf = ({ creates }: Operation) => contract.find(creates ?? '')
  const creators = operations.filter((operation) => {
    const read = readOf(operation)
    return read?.path.startsWith(`${operation.path}/{`) && operationAt('delete', read.path)
  })
  const settings = operations.flatMap((write) => {
    const read = operationAt('get', write.path)
    const isWhole = write.method === 'put' && idsIn(write.path).length === 0 && !write.isOfVisitor
    return isWhole && read ? [{ write, read }] : []
  })

  async function send(operation: Operation, call?: Call): Promise<Answer> {
    const answer = await caller.send(operation, call)
    const read = readOf(operation)
    const removal = operationAt('delete', read?.path)
    const { id } = (answer.json ?? {}) as { id?: string }
    if (answer.status < 300 && read && removal && id !== undefined)
      made.push({ removal, path: { [idsIn(read.path)[0]?.name ?? 'id']: id } })
    return answer
  }

  function exampleOf({ body }: Operation): object {
    const suffix = ` ${Date.now().toString(36)}${(names++).toString(36)}`
    const { properties = {} } = contract.resolve(body?.schema ?? {}) as {
      properties?: Record<string, Schema>
    }
    const isUnique = (name: string) =>
      uniqueFields.has(name) && contract.resolve(properties[name] ?? {})['enum'] === undefined
    /** A host name has no space, and ends as it does. */
    const another = (name: string, value: string) => {
      const { pattern = '' } = contract.resolve(properties[name] ?? {}) as { pattern?: string }
      const isText = new RegExp(pattern, 'u').test(value + suffix)
      return isText ? value + suffix : `${suffix.trim()}.${value}`
    }
    const own = (name: string, value: unknown): unknown => {
      if (typeof value !== 'string') return value
      const [, prefix = ''] = shownId.exec(value) ?? []
      return isUnique(name) ? another(name, value) : (ownOfPrefix.get(prefix) ?? value)
    }
    const [example] = body?.examples ?? []
    return JSON.parse(JSON.stringify(example?.value ?? {}), own) as object
  }

  function ownPath({ path }: Operation): Record<string, string> | undefined {
    const found = idsIn(path).map(({ kind, name }) => [name, ownOfKind.get(kind)] as const)
    if (found.some(([, id]) => id === undefined)) return undefined
    return Object.fromEntries(found) as Record<string, string>
  }

  function harmless(operation: Operation): Call {
    if (operation.method === 'get') return { path: ownPath(operation) ?? {} }
    if (!operation.body) return {}
    const body = { ...exampleOf(operation), unknownField: 1 }
    return { path: ownPath(operation) ?? {}, body }
  }

  const before = await stateOf(caller, settings, creators)
  for (const operation of creators) {
    const { status, json, text } = await send(operation, { body: exampleOf(operation) })
    const { id = '' } = (json ?? {}) as { id?: string }
    if (status >= 300) report.violate(operation, `answers ${status} to its example`, text)
    ownOfKind.set(operation.path.split('/').at(-1) ?? '', id)
    ownOfPrefix.set(id.split('_')[0] ?? '', id)
  }
  const changes = operations.filter(
    (operation) =>
      operation.body &&
      ['put', 'patch'].includes(operation.method) &&
      idsIn(operation.path).length > 0 &&
      ownPath(operation),
  )

  async function leave(): Promise<string[]> {
    // Also after the run was interrupted.
    const leaving = createCaller(contract, report, caller.target)
    await inParallel(made.reverse(), ({ removal, path }) => leaving.send(removal, { path }))
    const after = await stateOf(leaving, settings, creators)
    return [...before].flatMap(([name, value]) =>
      isDeepStrictEqual(after.get(name), value) ? [] : [`${name} is not as it was found`],
    )
  }

  return { caller, send, creators, settings, changes, ownPath, exampleOf, harmless, leave }
}

/** The settings, and the first rows of each list that a run adds to. */
async function stateOf(
  caller: Caller,
  settings: Scene['settings'],
  creators: Operation[],
): Promise<Map<string, unknown>> {
  const state = new Map<string, unknown>()
  for (const { read } of settings) {
    const { json } = await caller.send(read)
    state.set(read.id, without(json, 'updatedAt'))
  }
  for (const { path } of creators) {
    const list = caller.contract.operations.find(
      (operation) => operation.method === 'get' && operation.path === path,
    )
    if (!list) continue
    const { json } = await caller.send(list)
    state.set(list.id, rowsOf(json))
  }
  return state
}

/** Which rows a list has; counters in them move with what a shop's visitors do. */
function rowsOf(json: unknown): unknown {
  const { pagination, ...members } = (json ?? {}) as { pagination?: { total?: number } }
  const lists = Object.values(members).filter((member): member is { id?: string }[] =>
    Array.isArray(member),
  )
  return { total: pagination?.total, ids: lists.flat().map(({ id }) => id) }
}

function without(value: unknown, name: string): unknown {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([each]) => each !== name))
}
