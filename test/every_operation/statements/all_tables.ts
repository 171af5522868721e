import { sql } from 'kysely'
import type { TestService } from '../../kit/service.ts'

const known = new WeakMap<TestService, Promise<string[]>>()

/** No table is added while the tests run. */
function tablesOf(service: TestService): Promise<string[]> {
  const read = async () => (await service.db.introspection.getTables()).map(({ name }) => name)
  const tables = known.get(service) ?? read()
  known.set(service, tables)
  return tables
}

/** A fingerprint of the database: per table, the row count and the last write. */
export async function everythingIn(service: TestService): Promise<Record<string, unknown>> {
  await service.app.outbox.flush()
  await service.app.webhooks.flush()
  await service.app.pictures.flush()
  // What calls have cost is noted now and then, whatever they were answered.
  const written = (await tablesOf(service)).filter((name) => name !== 'workspace_costs')
  const states = written.map(
    (name) => sql<{ name: string; state: string }>`
      select ${sql.lit(name)} as name, concat(count(*), ' ', max(xmin::text::bigint)) as state
      from ${sql.table(name)}
    `,
  )
  const { rows: results } = await sql<{ name: string; state: string }>`
    ${sql.join(states, sql` union all `)}
  `.execute(service.db)
  return Object.fromEntries(results.map(({ name, state }) => [name, state]))
}
