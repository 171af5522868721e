import fc from 'fast-check'
import { type Call, inParallel } from './caller.ts'
import type { Contract, Operation } from './document.ts'
import type { Scene } from './scene.ts'
import { fitting, mutated, strange } from './values.ts'

/** How many calls are planned at once; thousands of random bodies need not be kept. */
const portion = 10

/** Sends random calls, valid and broken, as many as asked for; the seed makes them again. */
export async function checkRandomly(
  scene: Scene,
  { calls, seed }: { calls: number; seed: number },
): Promise<void> {
  const { contract } = scene.caller
  const sources = contract.operations
    .filter(({ isOpen, takesFiles }) => !isOpen && !takesFiles)
    .map((operation) => ({ operation, arbitrary: callsOf(scene, operation) }))
  let sent = 0
  for (let round = 0; sent < calls; round++) {
    const planned = sources.flatMap(({ operation, arbitrary }, index) => {
      const numRuns = Math.min(portion, Math.ceil((calls - sent) / sources.length))
      const sampled = fc.sample(arbitrary, { numRuns, seed: seed + round * 1000 + index })
      return sampled.map((call, turn) => ({ operation, call, turn }))
    })
    // Each operation in turn, so that what they do to each other is seen, too.
    const mixed = planned.sort((a, b) => a.turn - b.turn).slice(0, calls - sent)
    await inParallel(mixed, ({ operation, call }) => sendRandom(scene, operation, call))
    sent += mixed.length
  }
}

async function sendRandom(scene: Scene, operation: Operation, call: Call): Promise<void> {
  const { status } = await scene.send(operation, call)
  if (status < 300 && operation.body && !operation.body.validate()(call.body))
    scene.caller.report.violate(
      operation,
      `answers ${status} to a body that its schema refuses`,
      JSON.stringify(call.body).slice(0, 300),
    )
}

function callsOf(scene: Scene, operation: Operation): fc.Arbitrary<Call> {
  const own = scene.ownPath(operation)
  const unknown = fc.constant<Record<string, string>>({})
  const isRemoval = operation.method === 'delete'
  const path = own === undefined || isRemoval ? unknown : fc.oneof(fc.constant(own), unknown)
  const query = queriesOf(scene.caller.contract, operation)
  if (!operation.body) return fc.record({ path, query })
  return fc.record({ path, query, body: bodiesOf(scene, operation) })
}

/** Where nothing could be taken back, only what is refused: a body with a field that the contract does not have. */
function bodiesOf(scene: Scene, operation: Operation): fc.Arbitrary<unknown> {
  const fits = fitting(scene.caller.contract, operation.body!.schema)
  if ([...scene.creators, ...scene.changes].includes(operation))
    return fc.oneof(fits, mutated(fits))
  return fits.map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, unknownField: 1 }
      : { unknownField: value },
  )
}

function queriesOf(
  contract: Contract,
  { parameters }: Operation,
): fc.Arbitrary<Record<string, unknown>> {
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const values = queries.map(({ name, schema }) => [name, fitting(contract, schema)] as const)
  const text = strange.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const odd = queries.map(({ name }) => [name, text] as const)
  const fits = fc.record(Object.fromEntries(values), { requiredKeys: [] })
  const breaks = fc.record(Object.fromEntries(odd), { requiredKeys: [] })
  return fc.oneof({ weight: 3, arbitrary: fits }, { weight: 1, arbitrary: breaks })
}
