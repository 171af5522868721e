import { randomUUID } from 'node:crypto'
import type { Operation } from './document.ts'
import { provoke } from './refusals.ts'
import type { Scene } from './scene.ts'

/** Provokes the refusals that need something stored: duplicates, stale tags and reused keys. */
export async function checkConflicts(scene: Scene): Promise<void> {
  for (const operation of scene.creators) {
    await checkDuplicate(scene, operation)
    if (takes(operation, 'Idempotency-Key')) await checkRepeated(scene, operation)
  }
  for (const operation of scene.changes)
    if (takes(operation, 'If-Match')) await checkStale(scene, operation)
}

const takes = ({ parameters }: Operation, header: string) =>
  parameters.some(({ name, in: place }) => place === 'header' && name === header)

async function checkDuplicate(scene: Scene, operation: Operation): Promise<void> {
  const call = { body: scene.exampleOf(operation) }
  await scene.send(operation, call)
  await provoke(scene, operation, { what: 'the same again', call, status: 409, code: 'duplicate' })
}

/** With the same key a call is carried out once, and another one is refused. */
async function checkRepeated(scene: Scene, operation: Operation): Promise<void> {
  const headers = { 'Idempotency-Key': randomUUID() }
  const call = { headers, body: scene.exampleOf(operation) }
  const first = await scene.send(operation, call)
  const second = await scene.send(operation, call)
  if (first.status !== second.status || first.text !== second.text)
    scene.caller.report.violate(
      operation,
      `answers ${second.status} to a call that is sent again with its Idempotency-Key, and not as before`,
    )
  const other = scene.exampleOf(operation)
  if (JSON.stringify(other) === JSON.stringify(call.body)) return
  await provoke(scene, operation, {
    what: 'another call with the same Idempotency-Key',
    call: { headers, body: other },
    status: 409,
    code: 'idempotency_mismatch',
  })
}

async function checkStale(scene: Scene, operation: Operation): Promise<void> {
  await provoke(scene, operation, {
    what: 'a stale If-Match',
    call: {
      path: scene.ownPath(operation) ?? {},
      headers: { 'If-Match': '"of-another-time"' },
      body: scene.exampleOf(operation),
    },
    status: 409,
    code: 'write_conflict',
  })
}
