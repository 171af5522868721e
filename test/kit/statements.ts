import type pg from 'pg'
import type { TestService } from './service.ts'

/** Tells of every statement, right before it is sent, while the work runs. */
async function watching(
  { connection }: TestService,
  tell: (text: string) => Promise<unknown> | undefined,
  work: () => Promise<unknown>,
): Promise<void> {
  const restore: (() => void)[] = []
  const watched = new Set<pg.PoolClient>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    watched.add(client)
    const original = client.query.bind(client) as (...given: unknown[]) => unknown
    const spy = (query: string | { text: string }, ...rest: unknown[]) => {
      const told = tell(typeof query === 'string' ? query : query.text)
      return told ? told.then(() => original(query, ...rest)) : original(query, ...rest)
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
}

/** The statements that the service sends while the work runs, but for the delivery of mails. */
export async function statementsOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = []
  const note = (text: string) => void texts.push(text)
  await watching(service, note, work)
  return texts.filter((text) => !/^(with "due"|delete from "mails")/.test(text))
}

/** Lets something happen while the work runs, right before its first statement with these words. */
export async function justBefore(
  service: TestService,
  words: string,
  happen: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  let happened = false
  const interrupt = (text: string) => {
    if (happened || !text.includes(words)) return undefined
    happened = true
    return happen()
  }
  await watching(service, interrupt, work)
  if (!happened) throw new Error(`No statement had the words "${words}".`)
}
