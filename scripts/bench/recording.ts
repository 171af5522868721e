import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { handlers } from '../../handlers/index.ts'
import { authenticateKey } from '../../src/access/keys.ts'
import { authenticateVisit } from '../../src/access/visitors.ts'
import { withBaseUrl } from '../../src/db/base_url.ts'
import type { Database } from '../../src/db/schema.ts'
import type { CallerOf, Input, OperationId } from '../../src/operation.ts'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/usage_events.ts'

/** A statement as the service sends it to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

/** What the service asks of the database for one call, and what it answers. */
export interface Recording {
  statements: Statement[]
  output: string
  /** The statement whose column `json` stands in the answer, and what stands around it. */
  answer: { index: number; before: string; after: string }
}

export interface Place {
  pool: pg.Pool
  baseUrl: string
  workspaceId: string
  apiKey: string
}

/**
 * Runs a handler of the service and keeps its statements, so that a floor can send the same. A
 * `repeated` call finds what the service remembers of one before it, as all but the first do.
 */
export async function recordCall<Id extends OperationId>(
  place: Place,
  operationId: Id,
  input: Input<Id>,
  { repeated = false }: { repeated?: boolean } = {},
): Promise<Recording> {
  const now = new Date()
  const results: { json?: string }[] = []
  const { db, statements } = recordingDatabase(place, (row) => results.push(row))
  const caller = {
    db,
    now,
    // A write is recorded with it, as the pipeline does.
    transaction: (work: (trx: unknown) => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        const output = await work(trx)
        await insertUsageEvent(trx, place.workspaceId, writeBy(operationId), now)
        return output
      }),
  } as unknown as CallerOf<Id>
  if (repeated) await handlers[operationId](input, caller)
  results.length = statements.length = 0
  const output = await handlers[operationId](input, caller)
  if (typeof output !== 'string') throw new Error(`${operationId} did not answer with a text.`)
  const index = results.findLastIndex((row) => typeof row.json === 'string')
  const json = results[index]?.json ?? ''
  const start = output.indexOf(json)
  const [before, after] = [output.slice(0, start), output.slice(start + json.length)]
  return { statements: [...statements], output, answer: { index, before, after } }
}

function writeBy(endpoint: string): UsageEvent {
  const resource = { resourceType: 'product', resourceId: 'prod_recorded' }
  return {
    actorType: 'API_KEY',
    userId: null,
    eventName: 'management.write',
    endpoint,
    ...resource,
  }
}

/** The look-up of a key, recorded in the same way. */
export async function recordKeyLookUp(place: Place): Promise<Statement> {
  const { db, statements } = recordingDatabase(place, () => undefined)
  const circumstances = { environment: 'development', now: new Date() } as const
  await authenticateKey(db, circumstances, `Bearer ${place.apiKey}`, place.workspaceId)
  return statements[0]!
}

/** What admits a call of the experience API for a customer. */
export async function recordVisitLookUp(place: Place, visitorToken: string): Promise<Statement> {
  const { db, statements } = recordingDatabase(place, () => undefined)
  const config = { environment: 'development', secretKey: '' } as const
  const { workspaceId } = place
  const authorization = `Bearer ${place.apiKey}`
  const device = { deviceId: undefined, guestToken: undefined }
  await authenticateVisit(
    db,
    { config, now: new Date(), workspaceId, isBootstrap: false },
    { authorization, visitorToken, ...device },
  )
  return statements[0]!
}

function recordingDatabase(
  { pool, baseUrl }: Pick<Place, 'pool' | 'baseUrl'>,
  onResult: (firstRow: { json?: string }) => void,
) {
  const statements: Statement[] = []
  const connect = async () => {
    const client = await pool.connect()
    const query = async (text: string, parameters: readonly unknown[]) => {
      const values = withBaseUrl(parameters, baseUrl)
      const result = await client.query<{ json?: string }>(text, values)
      statements.push({ text, values })
      onResult(result.rows[0] ?? {})
      return result
    }
    // Kysely's type also covers cursors, which no query here uses.
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: () => Promise.resolve() } }),
  })
  return { db, statements }
}
