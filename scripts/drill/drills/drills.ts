import type { Drill } from './drill.ts'
import { databaseFrozen, databaseKilled, serviceKilled, storeHangs } from './faults.ts'
import { monthDropped } from './growth.ts'
import { poolerKilled, redisKilled } from './peers.ts'
import { failover, replicaFrozen, replicaKilled, replicaLate, silentFailover } from './replicas.ts'
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
  silentFailover,
  replicaLate,
  replicaKilled,
  replicaFrozen,
  monthDropped,
]
