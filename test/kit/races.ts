import pg from 'pg'
import type { Response } from 'supertest'
import { expect } from 'vitest'
import { type Client, type Person, type TestService, unique } from './service.ts'

type Role = 'owner' | 'staff' | 'billing'

/** Starts a call immediately: supertest is lazy and waits until the answer is awaited. */
export const start = (call: PromiseLike<Response>): Promise<Response> => Promise.resolve(call)

export const all = (count: number, call: (index: number) => PromiseLike<Response>) =>
  Promise.all(Array.from({ length: count }, (_, index) => start(call(index))))

/** How often each outcome occurred: `200`, or the status with its error code. */
export function tally(answers: Response[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = status < 400 ? String(status) : `${status} ${body.code}`
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

export const unexpectedOutcomes = (expected: string[], answers: Response[]) =>
  Object.keys(tally(answers)).filter((outcome) => !expected.includes(outcome))

export const workspaceBody = (subDomain = unique('race')) => ({
  name: 'A shop',
  subDomain,
  templateKey: 'minimal',
})
export const create = (client: Client, subDomain?: string) =>
  client.post('/v1/workspaces').send(workspaceBody(subDomain))

/**
 * Holds a row lock while calls are started one by one, each waiting for it, then releases it. By
 * then all have been admitted, and they take the lock in order.
 */
async function interleavedOn(
  { connection }: TestService,
  table: 'workspaces' | 'accounts',
  id: string,
  calls: (() => PromiseLike<Response>)[],
): Promise<Response[]> {
  const holder = await connection.pool.connect()
  const answers: Promise<Response>[] = []
  try {
    await holder.query('begin')
    await holder.query(`select from ${table} where id = $1 for update`, [id])
    for (const call of calls) {
      answers.push(start(call()))
      await untilBlocked(connection, answers.length)
    }
  } finally {
    await holder.query('commit')
    holder.release()
  }
  return Promise.all(answers)
}

async function untilBlocked({ pool }: TestService['connection'], count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0]!.waiting >= count) return
  }
}

/** People and workspaces of the running service, and calls that are released together. */
export function racesOf(service: () => TestService) {
  async function givenCreator(workspaceLimit = 10, on = service()) {
    const person = await on.givenPerson({ workspaceLimit })
    const { id, key } = await on.givenKey(person)
    return { person, keyId: id, key, api: on.api(key) }
  }

  async function givenTeam() {
    const { person, api } = await givenCreator()
    const workspace = await service().givenWorkspace(person)
    const path = `/api/workspaces/${workspace.id}/members`
    const invite = async (email: string, role: Role) =>
      (await service().dashboard(person).post(path).send({ email, role })).body.id as string
    return { owner: person, api, workspace, path, invite }
  }

  const accept = (person: Person, id: string) =>
    service().dashboard(person).post(`/api/invitations/${id}/accept`)

  const interleaved = (
    table: 'workspaces' | 'accounts',
    id: string,
    calls: (() => PromiseLike<Response>)[],
  ) => interleavedOn(service(), table, id, calls)

  return { interleaved, givenCreator, givenTeam, accept }
}

/** Cuts off the answer to the first commit after a statement with these words, on its connection. */
export async function losingTheCommitAfter<T>(words: string, work: () => Promise<T>): Promise<T> {
  const clients = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = clients.query
  const charging = new Set<pg.Client>()
  let isLost = false
  clients.query = function (this: pg.Client, query, ...rest) {
    const text = typeof query === 'string' ? query : (query as { text: string }).text
    const sent = original.call(this, query, ...rest)
    if (text.includes(words)) charging.add(this)
    if (isLost || text !== 'commit' || !charging.has(this)) return sent
    isLost = true
    return (sent as Promise<unknown>).then(() => {
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    })
  }
  try {
    const result = await work()
    expect(isLost).toBe(true)
    return result
  } finally {
    clients.query = original
  }
}
