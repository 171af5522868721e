// A follower in a process of its own, which may be killed at any time: what it knows is in one file,
// replaced as a whole. Ends when the file `<state>.end` exists and it has read everything.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { followPage, type Replica } from './replica.ts'
import type { FeedShop } from './shop.ts'

const [state = '', apis = '', key = '', workspaceId = ''] = process.argv.slice(2)
const shop: FeedShop = { key, workspaceId }

let replica: Replica = existsSync(state)
  ? (JSON.parse(readFileSync(state, 'utf8')) as Replica)
  : { cursor: undefined, resources: {} }
for (let round = 0; ; round++) {
  const isLast = existsSync(`${state}.end`)
  const hosts = apis.split(',')
  const next = await followPage(hosts[round % hosts.length]!, shop, replica)
  if (!next) {
    await pause(50)
    continue
  }
  if (next.cursor !== replica.cursor) {
    writeFileSync(
      `${state}.new`,
      JSON.stringify({ cursor: next.cursor, resources: next.resources }),
    )
    renameSync(`${state}.new`, state)
  }
  replica = next
  if (isLast && !next.hasMore) break
  if (!next.hasMore) await pause(20)
}
