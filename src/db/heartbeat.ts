import type { Kysely } from 'kysely'
import { migrations } from '../generated/migrations.ts'
import { buildOf, millisecondsBetweenBeats, recordBeat, removeProcess } from './builds.ts'
import { connect } from './connect.ts'

/**
 * Tells the database now and then that this service lives, so that no newer build takes away what it
 * needs. A beat that fails is followed by the next; the service never waits for one.
 */
export function startHeartbeat(databaseUrl: string, id: string): { stop: () => Promise<void> } {
  // Its own connection: callers may hold all the others for as long as they are busy.
  const connection = connect(databaseUrl, { max: 1 })
  const db = connection.db as unknown as Kysely<unknown>
  const beat = () => void recordBeat(db, { id, build: buildOf(migrations) }).catch(() => undefined)
  const timer = setInterval(beat, millisecondsBetweenBeats).unref()
  return {
    async stop() {
      clearInterval(timer)
      // Otherwise it is forgotten after a while, as after a kill.
      await removeProcess(db, id).catch(() => undefined)
      await connection.close()
    },
  }
}
