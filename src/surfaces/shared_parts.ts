import { trustOf } from '../core/proxies.ts'
import { createBudget } from '../fairness/budget.ts'
import { createConnections } from '../fairness/connections.ts'
import { createTurns } from '../fairness/turns.ts'
import type { ServiceConfig } from '../operation.ts'
import { createHeavyAnswers } from './http/heavy_answers.ts'
import type { Shared } from './origin.ts'

/** How many bytes of requests' bodies a process holds at once, in memory and on disk. */
const maxBodyMemory = 256 * 1024 * 1024
const maxBodyDisk = 2 * 1024 * 1024 * 1024

/** The parts that the origins of one process share. */
export function sharedParts(config: ServiceConfig): Shared {
  const { maxConnections, maxConnectionsPerAddress, trustProxy } = config
  return {
    connections: createConnections({
      max: maxConnections,
      maxPerAddress: maxConnectionsPerAddress,
      isTrusted: trustOf(trustProxy),
    }),
    turns: createTurns(maxConnectionsPerAddress),
    heavyAnswers: createHeavyAnswers(),
    memory: createBudget(maxBodyMemory),
    disk: createBudget(maxBodyDisk),
  }
}
