import type pg from 'pg'

/** A statement as passed to the driver. */
export interface SentStatement {
  name?: string
  text: string
  values: unknown[]
}

/** Records the statements that a pool sends between start and stop. */
export function recordStatements(pool: pg.Pool): { start(): void; stop(): SentStatement[] } {
  let recorded: SentStatement[] | undefined
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (statement: unknown) => unknown
    Object.assign(client, {
      query: (statement: SentStatement) => {
        const { name, text, values } = statement
        recorded?.push({ ...(name !== undefined && { name }), text, values })
        return query(statement)
      },
    })
  })
  return {
    start: () => {
      recorded = []
    },
    stop: () => {
      const all = recorded ?? []
      recorded = undefined
      return all
    },
  }
}
