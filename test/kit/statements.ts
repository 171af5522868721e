import pg from 'pg'
import type { TestService } from './service.ts'

export interface Statement {
  text: string
  values?: unknown[]
}

/** A column of a result, as PostgreSQL describes it. */
export type Column = Pick<pg.FieldDef, 'name' | 'dataTypeID'>

/** Calls `beforeStatement` for every statement that is sent while the work runs. */
async function watchStatements(
  { connection }: TestService,
  beforeStatement: (text: string, values: unknown[], client: pg.PoolClient) => void,
  work: () => Promise<unknown>,
  onColumns: (text: string, columns: Column[]) => void = () => undefined,
): Promise<void> {
  const restore: (() => void)[] = []
  const watched = new Set<pg.PoolClient>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    watched.add(client)
    const original = client.query.bind(client) as (query: unknown) => Promise<pg.QueryResult>
    const spy = async (query: string | Statement) => {
      const { text, values = [] } = typeof query === 'string' ? { text: query } : query
      beforeStatement(text, values, client)
      const result = await original(query)
      // Several statements at once, as a pooler is sent them, have no columns of their own.
      if (!Array.isArray(result)) onColumns(text, result.fields)
      return result
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

/** What a service sends by the clock, whoever calls it. */
const ofBackground = new RegExp(
  [
    // Mail delivery.
    '^with "fresh"',
    '^delete from "mails"',
    // The look for webhooks that have something to be told.
    '^select "w"."workspace_id" as "workspaceId"',
    // The look for change sets and pictures that wait.
    '^\\s*update (change_set|picture)_queue q set leased_until',
    // The look for other services, and what workspaces cost: at 30 and 60 seconds.
    '\\bfrom service_processes\\b',
    '\\bworkspace_costs\\b',
    // The look at tables that have grown.
    "^\\s*select to_regclass\\('pg_catalog.pg_dist_partition'\\)",
    '^analyze',
  ].join('|'),
)

/** The statements that the service sends while the work runs, except for those of the background. */
export async function statementsOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<string[]> {
  return (await valuedStatementsOf(service, work)).map(({ text }) => text)
}

/** The same, with the values of their parameters. */
export async function valuedStatementsOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<Required<Statement>[]> {
  const statements: Sent[] = []
  const record = (text: string, values: unknown[], client: pg.PoolClient) =>
    void statements.push({ text, values, client })
  await watchStatements(service, record, work)
  return statements
    .filter((statement) => !isOfBackground(statement, statements))
    .map(({ text, values }) => ({ text, values }))
}

interface Sent extends Required<Statement> {
  client: pg.PoolClient
}

/**
 * Work of the background may have a transaction of its own; behind a pooler, each write has one. One that was not
 * wholly sent while the work ran is not the work's.
 */
function isOfBackground(statement: Sent, all: readonly Sent[]): boolean {
  if (ofBackground.test(statement.text)) return true
  const sent = all.filter(({ client }) => client === statement.client)
  const at = sent.indexOf(statement)
  const isOther = (beside: Sent | undefined) => !beside || ofBackground.test(beside.text)
  if (/^begin\b/.test(statement.text)) return isOther(sent[at + 1])
  return statement.text === 'commit' && isOther(sent[at - 1])
}

/** The columns of each statement that the service sends while the work runs and that returns rows. */
export async function columnsOf(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<Map<string, Column[]>> {
  const columns = new Map<string, Column[]>()
  const record = (text: string, described: Column[]) => void columns.set(text, described)
  await watchStatements(service, () => undefined, work, record)
  return columns
}

/**
 * Runs `interruption` while the work runs, right before its first statement with this text, at whichever
 * node of a distributed database.
 */
export async function justBefore(
  words: string,
  interruption: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  let interrupted = false
  const clients = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = clients.query
  clients.query = function (this: pg.Client, query, ...rest) {
    const send = () => original.call(this, query, ...rest)
    const text = typeof query === 'string' ? query : (query as Statement).text
    if (interrupted || !text.includes(words)) return send()
    interrupted = true
    return interruption().then(send)
  }
  try {
    await work()
  } finally {
    clients.query = original
  }
  if (!interrupted) throw new Error(`No statement contained "${words}".`)
}
