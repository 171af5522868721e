import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { countServices } from '../../queries/upkeep/health.ts'

const lookMilliseconds = 30_000

/** Whether other services live on the same database: limits must then be counted together. */
export interface OtherServices {
  areSeveral(): boolean
  look(): Promise<void>
  stop(): void
}

/** Looks now and then; a service that starts is noticed within half a minute. */
export function watchOtherServices(db: Kysely<Database>): OtherServices {
  let services = 1
  const look = async () => {
    services = await countServices(db).catch(() => services)
  }
  const timer = setInterval(() => void look(), lookMilliseconds)
  timer.unref()
  return { areSeveral: () => services > 1, look, stop: () => clearInterval(timer) }
}
