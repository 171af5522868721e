import type { Transaction } from 'kysely'
import type { Response } from 'supertest'
import { connect } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/schema.ts'
import { isDistributed } from './database.ts'
import { start } from './races.ts'
import type { TestService } from './service.ts'

export interface HeldTransaction {
  trx: Transaction<Database>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Another client's transaction, on its own connection, open until committed or rolled back. */
export async function holdTransaction(
  url: string,
  work: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<HeldTransaction> {
  const connection = connect(url, { max: 1, baseUrl: 'http://localhost:3000' })
  const trx = await connection.db.startTransaction().execute()
  const ending = (end: 'commit' | 'rollback') => async () => {
    await trx[end]().execute()
    await connection.close()
  }
  await work(trx)
  return { trx, commit: ending('commit'), rollback: ending('rollback') }
}

/** Number of statements in the service's database that wait for a lock. */
export async function waitersOn({ connection }: TestService): Promise<number> {
  const waiting = `select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  // Locks of a distributed table are on its nodes.
  const everywhere = `select sum(result::integer) as waiting
    from run_command_on_all_nodes($$ ${waiting} $$)`
  const { rows } = await connection.pool.query<{ waiting: number }>(
    isDistributed() ? everywhere : waiting,
  )
  return rows[0]!.waiting
}

/**
 * Starts calls one after the other, each when those before it wait for a lock or have ended, and
 * then ends the held transaction.
 */
export async function queueBehind(
  holder: HeldTransaction,
  calls: (() => PromiseLike<Response>)[],
  { end = 'commit', on }: { end?: 'commit' | 'rollback'; on: TestService },
): Promise<Response[]> {
  const answers: Promise<Response>[] = []
  let answered = 0
  try {
    for (const call of calls) {
      answers.push(start(call()).finally(() => answered++))
      while ((await waitersOn(on)) + answered < answers.length);
    }
  } finally {
    await holder[end]()
  }
  return Promise.all(answers)
}
