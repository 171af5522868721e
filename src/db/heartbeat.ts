import type { Kysely } from 'kysely'
import { migrations } from '../generated/migrations.ts'
import { buildOf, millisecondsBetweenBeats, recordBeat, removeProcess } from './builds.ts'
import { connect } from './connect.ts'

/**
 * Records at intervals that this service is alive, so that no newer build drops what it needs. A failed
 * beat is made up for by the next; the service never waits for one.
 */
export function startHeartbeat(databaseUrl: string, id: string): { stop: () => Promise<void> } {
  // A connection of its own: callers may occupy all others for a long time.
  const connection = connect(databaseUrl, { max: 1 })
  const db = connection.db as unknown as Kysely<unknown>
  const beat = () => void recordBeat(db, { id, build: buildOf(migrations) }).catch(() => undefined)
  const timer = setInterval(beat, millisecondsBetweenBeats).unref()
  return {
    async stop() {
      clearInterval(timer)
      // Otherwise the row expires, as after a kill.
      await removeProcess(db, id).catch(() => undefined)
      await connection.close()
    },
  }
}
