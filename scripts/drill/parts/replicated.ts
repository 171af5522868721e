import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries, findUnprivilegedUser } from '../../../src/db/embedded_binaries.ts'
import { execute } from '../../distributed/nodes.ts'
import { signalServer } from './server_processes.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

/** One of two servers. */
export interface ReplicatedServer {
  url: string
  /** Sends a signal to the server and all its sessions. */
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
  /** After it was killed; resolves when it answers. */
  start(): Promise<void>
}

/** A PostgreSQL and its standby. */
export interface Replicated {
  /** One address for both. */
  url: string
  primary: ReplicatedServer
  standby: ReplicatedServer
  /** Makes the standby the primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Kills end processes, not the machine: what was written survives without `fsync`. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'wal_keep_size=512MB',
  'wal_retrieve_retry_interval=200ms',
  'max_connections=200',
]

/**
 * The bundled PostgreSQL twice: the second is a copy of the first, made before its first start, that
 * follows it. If `isSynchronous`, the standby confirms every commit before it is acknowledged.
 */
export async function startReplicated(
  folder: string,
  { isSynchronous }: { isSynchronous: boolean },
): Promise<Replicated> {
  const identity = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined
  const binaries = join(findBinaries(identity), 'bin')
  const home = join(folder, 'replicated')
  mkdirSync(home, { mode: 0o700 })
  chmodSync(folder, 0o711)
  if (identity) chownSync(home, identity.uid, identity.gid)
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(program, args, {
      ...identity,
      cwd: home,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  const write = (path: string, text: string) => {
    writeFileSync(path, text, { flag: 'a' })
    if (identity) chownSync(path, identity.uid, identity.gid)
  }

  const server = async (name: string): Promise<ReplicatedServer & { port: number }> => {
    const port = await freePort()
    const url = `postgres://vitrine@127.0.0.1:${port}/postgres`
    let child: ChildProcess | undefined
    return {
      port,
      url,
      signal: (signal) => signalServer(child!.pid!, signal),
      async kill() {
        if (!child || child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        signalServer(child.pid!, 'SIGKILL')
        await ended
      },
      async start() {
        const log = openSync(join(folder, `${name}.log`), 'a')
        const flags = settings.flatMap((setting) => ['-c', setting])
        child = spawn(
          join(binaries, 'postgres'),
          ['-D', join(home, name), '-p', String(port), ...flags],
          { ...identity, cwd: home, stdio: ['ignore', log, log] },
        )
        await answered(url, child)
      },
    }
  }

  const primary = await server('primary')
  const standby = await server('standby')
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-ctype=C.UTF-8']
  const user = ['-U', 'vitrine', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  run(join(binaries, 'initdb'), '-D', join(home, 'primary'), ...user, ...locale)
  run('cp', '-a', join(home, 'primary'), join(home, 'standby'))
  write(join(home, 'standby', 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${primary.port} user=vitrine application_name=standby`
  write(join(home, 'standby', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  const stop = async () => {
    await primary.kill()
    await standby.kill()
  }
  process.once('exit', () => void stop())
  await primary.start()
  await standby.start()
  if (isSynchronous)
    await execute(
      primary.url,
      "alter system set synchronous_standby_names = 'standby'",
      'select pg_reload_conf()',
    )
  return {
    url: `postgres://vitrine@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    primary,
    standby,
    promote: async () => {
      await execute(standby.url, 'select pg_promote(true, 30)')
    },
    stop,
  }
}

async function answered(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const reason = await execute(url, 'select 1').then(
      () => undefined,
      (error: unknown) => error ?? true,
    )
    if (reason === undefined) return
    await pause(50)
  }
  throw new Error('PostgreSQL did not start.')
}
