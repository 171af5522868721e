import { sql, type Kysely } from 'kysely'
import type { Migration, Step } from './migration.ts'
import { briefly } from './online.ts'

/* Raw SQL: the tables here are outside the schema and exist before any migration. */

const secondsBetweenReports = 10

/** How a migration is applied and recorded. */
export interface Application {
  environment: string
  /** Where it is recorded. Builds that do not know it refuse the first kind, and ignore the second. */
  recordIn: 'service_migrations' | 'service_expansions'
  report?: ((line: string) => void) | undefined
}

/** Recorded when a contraction starts, so that no earlier build starts from then on. */
export const begun = (name: string): string => `${name} begun`

/** Runs a migration and records it. */
export async function applyMigration(
  db: Kysely<unknown>,
  name: string,
  migration: Migration,
  { environment, recordIn, report }: Application,
): Promise<void> {
  const record = sql.table(recordIn)
  try {
    if ('steps' in migration) {
      if (migration.endsBuildBefore)
        await sql`insert into ${record} (name) values (${begun(name)})
          on conflict do nothing`.execute(db)
      for (const step of migration.steps) await runStep(db, name, step, report)
    }
    await briefly(db, async (trx) => {
      if ('up' in migration) await migration.up(trx)
      await sql`insert into ${record} (name) values (${name})`.execute(trx)
      await sql`delete from ${record} where name = ${begun(name)}`.execute(trx)
      await sql`
        insert into service_stamps (name, value) values ('environment', ${environment})
        on conflict (name) do nothing`.execute(trx)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = 'steps' in migration ? 'and continues at the next start' : 'and was rolled back'
    throw new Error(`Migration ${name} failed ${outcome}: ${reason}`, { cause: error })
  }
}

/** Runs a step unless it is done, continuing where it was interrupted. */
async function runStep(
  db: Kysely<unknown>,
  migration: string,
  { name, run }: Step,
  report: Application['report'],
): Promise<void> {
  const key = { migration, step: name }
  const steps = await sql<{ position: number; done: boolean }>`
    insert into service_migration_steps (migration, step) values (${migration}, ${name})
    on conflict (migration, step) do update set position = service_migration_steps.position
    returning position::integer as position, done`.execute(db)
  const { position, done } = steps.rows[0]!
  if (done) return
  report?.(`${migration}: ${name}`)
  let reportedAt = Date.now()
  await run({
    db,
    progress(share) {
      if (Date.now() - reportedAt < secondsBetweenReports * 1000) return
      reportedAt = Date.now()
      report?.(`${migration}: ${name}, ${Math.floor(share * 100)} %`)
    },
    say: (line) => report?.(`${migration}: ${name}, ${line}`),
    async inBatches(batch) {
      for (let next: number | undefined = position; next !== undefined;) {
        const from: number = next
        await briefly(db, async (trx) => {
          next = await batch(trx, from)
          if (next !== undefined) await storePosition(trx, key, next)
        })
      }
    },
  })
  await sql`update service_migration_steps set done = true
    where migration = ${migration} and step = ${name}`.execute(db)
}

async function storePosition(
  trx: Kysely<unknown>,
  { migration, step }: { migration: string; step: string },
  position: number,
): Promise<void> {
  await sql`update service_migration_steps set position = ${position}
    where migration = ${migration} and step = ${step}`.execute(trx)
}
