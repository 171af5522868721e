import { checkBounds } from './bounds.ts'
import { createCaller, type Target } from './caller.ts'
import { checkConflicts } from './conflicts.ts'
import { type Contract, readDocument } from './document.ts'
import { checkExamples } from './examples.ts'
import { checkModel } from './model.ts'
import { checkRandomly } from './random_calls.ts'
import { checkRefusals } from './refusals.ts'
import { createReport, type Report } from './report.ts'
import { openScene } from './scene.ts'

export interface Extent {
  /** How many random calls. */
  calls: number
  /** How many steps against the model. */
  steps: number
  seed: number
  /** Only operations with these tags; by default all. */
  tags?: string[] | undefined
  /** Ends the checks early; the workspace is still left as it was found. */
  signal?: AbortSignal
}

export interface Outcome {
  report: Report
  /** Pairs of an operation and a code that it declares, and how many of them were provoked. */
  refusals: { declared: number; seen: number }
}

/** Holds a service against its own document, inside one workspace, which is left as it was found. */
export async function runContract(target: Target, extent: Extent): Promise<Outcome> {
  const { calls, steps, seed, tags, signal } = extent
  const report = createReport()
  const response = await fetch(`${target.baseUrl}/v1/openapi.json`)
  if (!response.ok) throw new Error(`There is no document at ${target.baseUrl}: ${response.status}`)
  const contract = readDocument((await response.json()) as Record<string, unknown>, tags)
  const scene = await openScene(createCaller(contract, report, target, signal))
  try {
    await checkExamples(scene)
    await checkRefusals(scene)
    await checkConflicts(scene)
    await checkBounds(scene)
    await checkModel(scene, { length: steps, seed })
    await checkRandomly(scene, { calls, seed })
  } finally {
    for (const difference of await scene.leave()) report.violate('the workspace', difference)
  }
  return { report, refusals: refusalsOf(contract, report) }
}

function refusalsOf({ operations }: Contract, report: Report): Outcome['refusals'] {
  const pairs = operations.flatMap((operation) =>
    [...operation.responses.values()].flatMap(({ codes }) =>
      codes.map((code) => report.hasSeen(operation, code)),
    ),
  )
  return { declared: pairs.length, seen: pairs.filter(Boolean).length }
}
