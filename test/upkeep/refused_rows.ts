import { sql } from 'kysely'
import type { TestService } from '../kit/service.ts'

/** Has the database refuse writes of one kind to rows of a table, while the work runs. */
export async function whileRefused<T>(
  { db }: Pick<TestService, 'db'>,
  { table, write, rows }: { table: string; write: 'insert' | 'update' | 'delete'; rows: string },
  work: () => Promise<T>,
): Promise<T> {
  await sql`create or replace function refuse_row() returns trigger language plpgsql as
    $$ begin raise 'This row is refused.'; end $$`.execute(db)
  await sql`create trigger refused before ${sql.raw(write)} on ${sql.table(table)}
    for each row when (${sql.raw(rows)}) execute function refuse_row()`.execute(db)
  try {
    return await work()
  } finally {
    await sql`drop trigger refused on ${sql.table(table)}`.execute(db)
    await sql`drop function refuse_row()`.execute(db)
  }
}

/** The messages of what failed in a sweep that went on. */
export async function failuresOf(sweep: () => Promise<unknown>): Promise<string[]> {
  const [outcome] = await Promise.allSettled([sweep()])
  return outcome.status === 'rejected' ? messagesOf(outcome.reason) : []
}

function messagesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(messagesOf)
  return [error instanceof Error ? error.message : String(error)]
}
