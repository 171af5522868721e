import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { type Program, requireProgram, runProgram } from './programs.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

export interface Pooler extends Program {
  version: string
  /** The address of a database behind it. */
  urlOf(databaseUrl: string): string
}

/**
 * PgBouncer in transaction mode before a server. Later versions keep prepared statements; `keepsNames`
 * says whether they may.
 */
export async function startPgbouncer(
  folder: string,
  serverUrl: string,
  { keepsNames = true, poolSize = 10 } = {},
): Promise<Pooler> {
  const pgbouncer = requireProgram('pgbouncer')
  const { stdout } = spawnSync(pgbouncer, ['--version'], { encoding: 'utf8' })
  const version = /PgBouncer ([\d.]+)/.exec(stdout)?.[1] ?? ''
  const knowsNames = Number(version.split('.')[1]) >= 21
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${poolSize}
server_idle_timeout = 5
${knowsNames ? `max_prepared_statements = ${keepsNames ? 200 : 0}` : ''}
`,
  )
  chmodSync(file, 0o644)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const logFile = join(folder, 'pgbouncer.log')
  const program = await runProgram(pgbouncer, [...user, file], { port, logFile })
  return {
    ...program,
    version,
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      // The server's own socket, where it has one.
      url.searchParams.delete('host')
      url.host = `127.0.0.1:${port}`
      return url.href
    },
  }
}
