import { type Call, inParallel } from './caller.ts'
import type { Operation } from './document.ts'
import type { Scene } from './scene.ts'
import { type Edge, edgesOf } from './values.ts'

/** Each limit of a body's own fields and of a query: the last value inside, and the first outside. */
export async function checkBounds(scene: Scene): Promise<void> {
  const { caller, creators, changes, settings } = scene
  const { contract } = caller
  const isOwn = new Set([...creators, ...changes])
  const writes = [...isOwn, ...settings.map(({ write }) => write)]
  await inParallel(writes, async (operation) => {
    const { properties = {}, required = [] } = contract.resolve(operation.body?.schema ?? {}) as {
      properties?: Record<string, object>
      required?: string[]
    }
    for (const [field, schema] of Object.entries(properties))
      for (const edge of edgesOf(contract, schema as never)) {
        // A setting would change for the shop's visitors.
        if (edge.isInside && !isOwn.has(operation)) continue
        const body = { ...scene.exampleOf(operation), [field]: edge.value }
        await checkEdge(scene, operation, field, edge, { body })
      }
    for (const field of required) await checkMissing(scene, operation, field)
  })
  const reads = contract.operations.filter(
    (operation) => operation.method === 'get' && !operation.isOfVisitor && !operation.isOpen,
  )
  await inParallel(reads, async (operation) => {
    // A closed shop says so before it looks at a query.
    if (operation.path.includes('/experience/')) return
    for (const { name, in: place, schema } of operation.parameters)
      for (const edge of place === 'query' ? edgesOf(contract, schema) : [])
        // A text in a query may be the name of something.
        if (!edge.isInside || typeof edge.value === 'number')
          await checkEdge(scene, operation, name, edge, { query: { [name]: edge.value } })
  })
}

async function checkEdge(
  scene: Scene,
  operation: Operation,
  field: string,
  { isInside, what }: Edge,
  call: Call,
): Promise<void> {
  // No resource has an id of just any length.
  if (isInside && /Ids?$/.test(field)) return
  const { status, json } = await scene.send(operation, {
    path: scene.ownPath(operation) ?? {},
    ...call,
  })
  const isRefused = status === 400 && fieldsOf(json).includes(field)
  if (isInside ? isRefused : !isRefused)
    scene.caller.report.violate(
      operation,
      isInside
        ? `answers ${status} to ${field} of ${what}, its limit`
        : `answers ${status} to ${field} of ${what}, past its limit`,
    )
}

async function checkMissing(scene: Scene, operation: Operation, field: string): Promise<void> {
  const whole = Object.entries(scene.exampleOf(operation))
  const body = Object.fromEntries(whole.filter(([name]) => name !== field))
  const path = scene.ownPath(operation) ?? {}
  const { status, json } = await scene.send(operation, { path, body })
  if (status !== 400 || !fieldsOf(json).includes(field))
    scene.caller.report.violate(operation, `answers ${status} without ${field}, which it requires`)
}

const fieldsOf = (json: unknown) =>
  Object.keys((json as { fieldErrors?: object } | undefined)?.fieldErrors ?? {})
