import { type Call, inParallel, unknownId } from './caller.ts'
import type { Operation } from './document.ts'
import { refusalFaults } from './judge.ts'
import type { Scene } from './scene.ts'

interface Provoked {
  what: string
  call: Call
  status: number
  code: string
}

/** Provokes every refusal that needs no state: credentials, rights, unknown names and broken bodies. */
export async function checkRefusals(scene: Scene): Promise<void> {
  const { caller } = scene
  await inParallel(caller.contract.operations, async (operation) => {
    for (const provocation of provoked(scene, operation))
      await provoke(scene, operation, provocation)
    if (operation.body) await checkBrokenBodies(scene, operation)
  })
  await checkMethods(scene)
}

export async function provoke(
  { send, caller }: Scene,
  operation: Operation,
  { what, call, status, code }: Provoked,
): Promise<void> {
  if (!operation.responses.get(status)?.codes.includes(code)) return
  const answer = await send(operation, call)
  const { code: found } = (answer.json ?? {}) as { code?: string }
  if (answer.status !== status || code !== found)
    caller.report.violate(
      operation,
      `answers ${answer.status} ${found ?? ''} to ${what}, not ${status} ${code}`,
    )
}

function provoked(scene: Scene, operation: Operation): Provoked[] {
  const { target } = scene.caller
  const { method, isOpen, scope } = operation
  if (isOpen) return []
  const call = scene.harmless(operation)
  const list: Provoked[] = [
    { what: 'no credential', call: { ...call, key: null }, status: 401, code: 'unauthenticated' },
    {
      what: 'a malformed key',
      call: { ...call, key: 'nonsense' },
      status: 401,
      code: 'unauthenticated',
    },
  ]
  if (target.limitedKey && scope !== 'workspaces:read')
    list.push({
      what: 'a key without its scope',
      call: { ...call, key: target.limitedKey },
      status: 403,
      code: 'insufficient_scope',
    })
  if (operation.path.includes('{workspaceId}')) {
    const workspaceId = target.foreignWorkspaceId ?? `ws_${unknownId}`
    list.push({
      what: 'another workspace',
      call: { ...call, path: { ...call.path, workspaceId } },
      status: 403,
      code: 'not_owner',
    })
  }
  if (operation.isOfVisitor) {
    // Its form is looked at first, so that it must be right.
    const sent = operation.body ? { ...call, body: scene.exampleOf(operation) } : call
    list.push({ what: 'no visitor', call: sent, status: 401, code: 'visitor_required' })
  }
  if (!operation.isOfVisitor) list.push(...unknownNames(scene, operation))
  if (method === 'delete')
    list.push({ what: 'a body', call: { body: { any: 1 } }, status: 400, code: 'invalid_input' })
  return list
}

function unknownNames(scene: Scene, operation: Operation): Provoked[] {
  const { method, body, takesFiles, path } = operation
  if (takesFiles) return []
  const call = scene.harmless(operation)
  if (body) return [{ what: 'an unknown field', call, status: 400, code: 'invalid_input' }]
  const query = { unknownName: 1 }
  const list = [
    { what: 'an unknown parameter', call: { ...call, query }, status: 400, code: 'invalid_input' },
  ]
  // A closed shop says so before it says what it has.
  const isShop = path.includes('/experience/')
  if (['get', 'delete'].includes(method) && !isShop)
    list.push({ what: 'an unknown id', call: {}, status: 404, code: 'not_found' } as never)
  return list
}

async function checkBrokenBodies({ caller }: Scene, operation: Operation): Promise<void> {
  const { target, report, contract } = caller
  const path = operation.path
    .replace('{workspaceId}', target.workspaceId)
    .replaceAll(/\{(\w+)\}/g, unknownId)
  const broken: [body: string, type: string, status: number][] = [
    ['{', 'application/json', 400],
    ['{"a":1}', 'text/plain', 415],
    ['[]', 'application/json', 400],
  ]
  for (const [body, type, status] of operation.isOfVisitor ? [] : broken) {
    const headers = { Authorization: `Bearer ${target.key}`, 'Content-Type': type }
    const answer = await caller.fetch(operation.method.toUpperCase(), path, { headers, body })
    const { code } = (answer.json ?? {}) as { code?: string }
    report.count(operation, answer.status, code)
    if (answer.status !== status)
      report.violate(operation, `answers ${answer.status} to ${body} as ${type}`)
    for (const fault of refusalFaults(contract, answer, [])) report.violate(operation, fault)
  }
}

/** A path with a method that it does not have. */
async function checkMethods({ caller }: Scene): Promise<void> {
  const { target, report, contract } = caller
  const paths = new Map<string, string[]>()
  for (const { path, method } of contract.operations)
    paths.set(path, [...(paths.get(path) ?? []), method])
  await inParallel([...paths], async ([path, methods]) => {
    const other = ['put', 'delete', 'post'].find((method) => !methods.includes(method))
    if (!other || !path.startsWith('/v1/')) return
    const filled = path.replaceAll(/\{(\w+)\}/g, unknownId)
    const headers = { Authorization: `Bearer ${target.key}` }
    const answer = await caller.fetch(other.toUpperCase(), filled, { headers })
    report.count('other methods', answer.status)
    const call = `${other.toUpperCase()} ${path}`
    // Another path may have the same form and take it.
    if (answer.status === 405 && !answer.headers.has('allow'))
      report.violate('other methods', '405 without Allow', call)
    for (const fault of answer.status >= 400 ? refusalFaults(contract, answer, []) : [])
      report.violate('other methods', fault, call)
  })
}
