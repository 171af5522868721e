import type pg from 'pg'
import type { TestService } from './service.ts'

/** The statements that the service sends while the work runs, but for the delivery of mails. */
export async function statementsOf(
  { connection }: TestService,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = []
  const restore: (() => void)[] = []
  const watched = new Set<pg.PoolClient>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    watched.add(client)
    const original = client.query.bind(client) as (...given: unknown[]) => unknown
    const spy = (query: string | { text: string }, ...rest: unknown[]) => {
      texts.push(typeof query === 'string' ? query : query.text)
      return original(query, ...rest)
    }
    Object.defineProperty(client, 'query', { value: spy, configurable: true })
    restore.push(() => Reflect.deleteProperty(client, 'query'))
  }
  const { pool } = connection
  pool.on('acquire', watch)
  try {
    await work()
  } finally {
    pool.off('acquire', watch)
    for (const undo of restore) undo()
  }
  return texts.filter((text) => !/^(with "due"|delete from "mails")/.test(text))
}
