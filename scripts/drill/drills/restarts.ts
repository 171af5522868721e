import { setTimeout as pause } from 'node:timers/promises'
import { startLoad } from '../../upgrade/load.ts'
import { startHaproxy } from '../parts/haproxy.ts'
import { openWorld } from '../parts/world.ts'
import { type Drill, outcomeOf } from './drill.ts'

const restarts = 4
/** HAProxy notices after two checks, a second apart, and that a service is back after one. */
const drainSeconds = 4
const noticeMilliseconds = 2000

/** Two services, restarted in turn behind a proxy that sends nothing twice. */
export const rollingRestarts: Drill = {
  name: 'restarts',
  about: `${restarts} rolling restarts behind HAProxy with retries 0`,
  mayRefuse: false,
  async run() {
    const world = await openWorld({
      services: 2,
      settings: { DRAIN_SECONDS: String(drainSeconds), TRUST_PROXY: '1' },
    })
    try {
      const ports = world.services.map(({ port }) => port)
      const proxy = await startHaproxy(world.folder, ports)
      await pause(noticeMilliseconds)
      const load = startLoad(`http://127.0.0.1:${proxy.port}`, world.workspaces, 'drill')
      for (let turn = 0; turn < restarts; turn++) {
        const service = world.services[turn % 2]!
        await service.stop('SIGTERM')
        await service.start()
        await pause(noticeMilliseconds)
      }
      const outcome = await load.stop()
      await proxy.stop()
      return await outcomeOf(world, outcome)
    } finally {
      await world.stop()
    }
  },
}
