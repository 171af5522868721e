import type pg from 'pg'

/** A statement as the driver is given it. */
export interface SentStatement {
  name?: string
  text: string
  values: unknown[]
}

/** Notes what goes to the database through a pool between start and stop. */
export function recordStatements(pool: pg.Pool): { start(): void; stop(): SentStatement[] } {
  let noted: SentStatement[] | undefined
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (statement: unknown) => unknown
    Object.assign(client, {
      query: (statement: SentStatement) => {
        noted?.push(statement)
        return query(statement)
      },
    })
  })
  return {
    start: () => {
      noted = []
    },
    stop: () => {
      const all = noted ?? []
      noted = undefined
      return all
    },
  }
}
