import pg from 'pg'

/** The same server, another database. */
export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements on a connection of their own; returns the rows of the last. */
export async function execute(url: string, ...statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Makes the nodes of a database known to its coordinator. The database must be there on all of
 * them, under one name.
 */
export async function introduceNodes(
  name: string,
  coordinatorUrl: string,
  workerUrls: string[],
): Promise<void> {
  for (const url of [coordinatorUrl, ...workerUrls])
    await execute(databaseAt(url, name), 'create extension citus')
  const coordinator = new URL(coordinatorUrl)
  const workers = workerUrls.map((url) => new URL(url))
  await execute(
    databaseAt(coordinatorUrl, name),
    `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
  )
}
