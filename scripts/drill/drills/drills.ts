import type { Drill } from './drill.ts'
import { databaseFrozen, databaseKilled, serviceKilled, storeHangs } from './faults.ts'
import { failover, poolerKilled, redisKilled } from './peers.ts'
import { rollingRestarts } from './restarts.ts'

export const drills: Drill[] = [
  rollingRestarts,
  serviceKilled,
  databaseKilled,
  databaseFrozen,
  storeHangs,
  poolerKilled,
  redisKilled,
  failover,
]
