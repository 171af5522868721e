import type { Operation } from './document.ts'
import type { Scene } from './scene.ts'

/** Sends what the document shows. What the run may carry out must succeed, the rest must be well-formed. */
export async function checkExamples(scene: Scene): Promise<void> {
  const { caller, settings, creators, changes } = scene
  const { operations } = caller.contract
  for (const operation of operations) checkShown(scene, operation)
  for (const operation of operations.filter(({ method }) => method === 'get'))
    await checkRead(scene, operation)
  for (const { write, read } of settings) {
    const { json } = await caller.send(read)
    const { status } = await caller.send(write, { body: writable(scene, write, json) })
    expectSuccess(caller, write, status, 'its own values')
  }
  for (const operation of creators) await checkCreate(scene, operation)
  for (const operation of changes) {
    const path = scene.ownPath(operation) ?? {}
    const { status } = await scene.send(operation, { path, body: scene.exampleOf(operation) })
    expectSuccess(caller, operation, status, 'its example')
  }
  const written = new Set([...creators, ...changes, ...settings.map(({ write }) => write)])
  for (const operation of operations)
    if (operation.body && !operation.isOfVisitor && !written.has(operation))
      await checkUnsent(scene, operation)
  await checkAssociations(scene)
}

/** The examples fit the schemas beside them. */
function checkShown({ caller }: Scene, { body, responses, ...operation }: Operation): void {
  for (const { validate, examples } of [...(body ? [body] : []), ...responses.values()])
    for (const { name, value } of examples) {
      const fits = validate?.()
      if (!fits || fits(value)) continue
      const [error] = fits.errors ?? []
      const fault = `${error?.instancePath} ${error?.message}`
      caller.report.violate(operation.id, `shows ${name}, which is not as declared: ${fault}`)
    }
}

const guestDevice = 'X-Guest-Device-Id'

/** A read of something that exists, and again with its tag. */
async function checkRead({ caller, ownPath }: Scene, operation: Operation): Promise<void> {
  const path = ownPath(operation)
  const isForGuests = operation.parameters.some(({ name }) => name === guestDevice)
  const guest: Record<string, string> = isForGuests ? { [guestDevice]: 'contract-run' } : {}
  const { status, headers } = await caller.send(operation, { path: path ?? {}, headers: guest })
  const needs = operation.parameters.some(({ required, in: place }) => required && place !== 'path')
  // What is published, and to whom, is the shop's own choice.
  const isFree = operation.isOpen || operation.path.includes('/experience/')
  if (path && !needs && !isFree) expectSuccess(caller, operation, status, 'a plain read')
  const etag = headers.get('etag')
  if (status !== 200 || !etag || !operation.responses.has(304)) return
  const known = { ...guest, 'If-None-Match': etag }
  const again = await caller.send(operation, { path: path ?? {}, headers: known })
  if (again.status !== 304 && again.headers.get('etag') === etag)
    caller.report.violate(operation, `answers ${again.status} to its own ETag`)
}

/** A create says where its resource is, and that is what is read there. */
async function checkCreate(scene: Scene, operation: Operation): Promise<void> {
  const { caller } = scene
  const body = scene.exampleOf(operation)
  const { status, headers, json } = await scene.send(operation, { body })
  const location = headers.get('location')
  if (status >= 300 || !location) return
  const { pathname } = new URL(location, caller.target.baseUrl)
  const read = await caller.fetch('GET', pathname, {
    headers: { Authorization: `Bearer ${caller.target.key}` },
  })
  const { id } = (read.json ?? {}) as { id?: string }
  if (read.status !== 200 || id !== (json as { id?: string }).id)
    caller.report.violate(operation, `its Location ${location} answers ${read.status}`)
}

/** What cannot be taken back is sent with one unknown field, which alone may be refused. */
async function checkUnsent(scene: Scene, operation: Operation): Promise<void> {
  const { status, json } = await scene.send(operation, scene.harmless(operation))
  const { fieldErrors = {} } = (json ?? {}) as { fieldErrors?: object }
  const refused = Object.keys(fieldErrors).filter((name) => name !== 'unknownField')
  if (status === 400 && refused.length === 0) return
  scene.caller.report.violate(operation, `answers ${status} to its example: ${refused.join()}`)
}

/** Pairs of a POST and a DELETE at one path: what joins two resources, and parts them again. */
async function checkAssociations(scene: Scene): Promise<void> {
  const { operations } = scene.caller.contract
  for (const join of operations.filter(({ method, body }) => method === 'post' && !body)) {
    const part = operations.find(({ method, path }) => method === 'delete' && path === join.path)
    const path = part && scene.ownPath(join)
    if (!part || !path) continue
    for (const operation of [join, part]) {
      const { status } = await scene.send(operation, { path })
      expectSuccess(scene.caller, operation, status, 'resources that exist')
    }
  }
}

function expectSuccess(
  { report }: Pick<Scene['caller'], 'report'>,
  operation: Operation,
  status: number,
  what: string,
): void {
  if (status >= 300) report.violate(operation, `answers ${status} to ${what}`)
}

/** What a setting answers, as far as its write takes it back. */
function writable({ caller }: Scene, { body }: Operation, value: unknown): unknown {
  const { properties = {} } = caller.contract.resolve(body?.schema ?? {}) as { properties?: object }
  const entries = Object.entries(value ?? {}).filter(([name]) => name in properties)
  return Object.fromEntries(entries)
}
