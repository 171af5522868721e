import type { Statement } from '../../kit/statements.ts'
import type { TestService } from '../../kit/service.ts'

/** A part of a plan as it ran. Its figures of rows are those of one run, on average. */
interface PlanPart {
  'Actual Loops': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanPart[]
}

/** Runs a statement in a transaction that is rolled back; resolves to all parts of its plan. */
async function partsOf(
  { connection }: TestService,
  { text, values = [] }: Statement,
): Promise<PlanPart[]> {
  const client = await connection.pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanPart }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    return withParts(rows[0]!['QUERY PLAN'][0]!.Plan)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const withParts = (part: PlanPart): PlanPart[] => [part, ...(part.Plans ?? []).flatMap(withParts)]

/** How often a statement runs a part of its plan, at most. */
export async function mostRunsOf(service: TestService, statement: Statement): Promise<number> {
  const parts = await partsOf(service, statement)
  return Math.max(...parts.map((part) => part['Actual Loops']))
}

/** How many rows a statement looks at in all parts of its plan, over and over if it does. */
export async function rowsReadBy(service: TestService, statement: Statement): Promise<number> {
  const parts = await partsOf(service, statement)
  const rows = parts.map(
    ({ 'Actual Loops': runs, 'Actual Rows': kept, ...removed }) =>
      runs *
      (kept +
        (removed['Rows Removed by Filter'] ?? 0) +
        (removed['Rows Removed by Join Filter'] ?? 0)),
  )
  return rows.reduce((sum, count) => sum + count, 0)
}
