import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { expect, inject, vi } from 'vitest'
import { execute } from '../../scripts/distributed/nodes.ts'
import { type Replicated, startReplicated } from '../../scripts/drill/parts/replicated.ts'
import { readMetrics } from '../../src/core/metrics.ts'
import { connect } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'

/** A migrated database on a primary with a standby, both real. */
export async function givenReplicated(options: { isSynchronous: boolean }): Promise<Replicated> {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'replicated-'))
  const servers = await startReplicated(folder, options)
  const connection = connect(servers.primary.url, { max: 1, patient: true })
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, { environment: 'development' })
  } finally {
    await connection.close()
  }
  return servers
}

/** Resolves when the standby has replayed all that the primary has written so far. */
export async function replayed({ primary, standby }: Replicated): Promise<void> {
  const [written] = await execute(primary.url, 'select pg_current_wal_lsn()::text as position')
  const position = String(written!.position)
  const has = `select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn as it`
  await vi.waitFor(async () => expect(await execute(standby.url, has)).toEqual([{ it: true }]), {
    timeout: 100_000,
  })
}

/** How many reads have had this outcome so far, of all services of the process. */
export async function replicaReads(outcome: string): Promise<number> {
  const line = `vitrine_replica_reads_total{outcome="${outcome}"} `
  const found = (await readMetrics()).split('\n').find((each) => each.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}
