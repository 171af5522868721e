import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { handlers } from '../../handlers/index.ts'
import { authenticateKey } from '../../src/access/keys.ts'
import { authenticateVisit } from '../../src/access/visitors.ts'
import { withBaseUrl } from '../../src/db/base_url.ts'
import { rememberPool } from '../../src/db/own_connection.ts'
import type { Database } from '../../src/db/schema.ts'
import type { CallerOf, Input, OperationId } from '../../src/operation.ts'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'

/** A statement as the service sends it to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

/** The statements of one call, and its answer. */
export interface Recording {
  statements: Statement[]
  output: string
  /** The statement whose column `json` is part of the answer, and the text around it. */
  answer: { index: number; before: string; after: string }
}

export interface Place {
  pool: pg.Pool
  baseUrl: string
  workspaceId: string
  apiKey: string
}

/**
 * Runs a handler and records its statements, so that the floor can send the same. A `repeated` call
 * finds the service's caches warm, like all calls but the first.
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
    // The pipeline records every write as a usage event in the same transaction.
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

/** Records the lookup of a key. */
export async function recordKeyLookUp(place: Place): Promise<Statement> {
  const { db, statements } = recordingDatabase(place, () => undefined)
  const circumstances = { environment: 'development', now: new Date() } as const
  await authenticateKey(db, circumstances, `Bearer ${place.apiKey}`, place.workspaceId)
  return statements[0]!
}

/** Records the lookup that admits a customer's call of the experience API. */
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
    // Kysely's type also includes cursors, which no query here uses.
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: () => Promise.resolve() } }),
  })
  rememberPool(db, pool)
  return { db, statements }
}
