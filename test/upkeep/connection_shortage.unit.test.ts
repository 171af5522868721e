import { expect, test } from 'vitest'
import { shortageOf } from '../../src/domain/upkeep/connection_shortage.ts'

const oneHost = 'postgres://vitrine@one/vitrine'
const twoHosts = 'postgres://vitrine@one,two/vitrine'
const settings = { databasePoolSize: 12, webConcurrency: 4 }
const sentence = (open: string, taken: number) =>
  `${open}, and the database takes ${taken}: lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, raise ` +
  'max_connections, or put a pooler in between.'

test.each([
  { databaseUrl: undefined, each: 53 },
  { databaseUrl: oneHost, each: 53 },
  // The watch over the primary of four processes and of the heartbeat.
  { databaseUrl: twoHosts, each: 58 },
])(
  'a service of four processes at $databaseUrl opens $each connections',
  ({ databaseUrl, each }) => {
    const shortage = (taken: number, services: number) =>
      shortageOf({ taken, services }, { ...settings, databaseUrl })
    expect(shortage(each, 1)).toBeUndefined()
    expect(shortage(each - 1, 0)).toBe(sentence(`It may open ${each} connections`, each - 1))
    expect(shortage(2 * each, 2)).toBeUndefined()
    expect(shortage(2 * each - 1, 2)).toBe(
      sentence(`2 services may open ${2 * each} connections of ${each} each`, 2 * each - 1),
    )
  },
)
