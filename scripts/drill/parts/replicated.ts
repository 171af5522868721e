import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findUnprivilegedUser } from '../../../src/db/embedded_binaries.ts'
import { freePort, MissingProgram } from './programs.ts'

/** A PostgreSQL and its standby, which confirms every commit before it is acknowledged. */
export interface Replicated {
  /** One address for both. */
  url: string
  killPrimary(): void
  promoteStandby(): Promise<void>
  stop(): void
}

const binaries = '/usr/lib/postgresql/15/bin'

export async function startReplicated(folder: string): Promise<Replicated> {
  if (!existsSync(join(binaries, 'pg_basebackup')))
    throw new MissingProgram(
      'PostgreSQL 15 is not installed (Debian: apt-get install postgresql-15).',
    )
  const identity = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined
  const home = join(folder, 'replicated')
  mkdirSync(home, { mode: 0o700 })
  chmodSync(folder, 0o711)
  if (identity) chownSync(home, identity.uid, identity.gid)
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(binaries, program), args, {
      ...identity,
      cwd: home,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  const start = (name: string, port: number) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${home}`]
    const args = ['-D', join(home, name), '-p', String(port)]
    return spawn(
      join(binaries, 'postgres'),
      [...args, ...settings.flatMap((setting) => ['-c', setting])],
      { ...identity, cwd: home, stdio: ['ignore', log, log] },
    )
  }

  const [first, second] = [await freePort(), await freePort()]
  run('initdb', '-D', join(home, 'primary'), '-U', 'vitrine', '--encoding=UTF8', '--locale=C.UTF-8')
  writeFileSync(
    join(home, 'primary', 'pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  const primary = start('primary', first)
  const urlOf = (port: number) => `postgres://vitrine@127.0.0.1:${port}/postgres`
  await answered(urlOf(first))
  const source = `host=127.0.0.1 port=${first} user=vitrine application_name=standby`
  run('pg_basebackup', '-D', join(home, 'standby'), '-R', '-X', 'stream', '-d', source)
  const standby = start('standby', second)
  await answered(urlOf(second))
  await ask(urlOf(first), "alter system set synchronous_standby_names = 'standby'")
  await ask(urlOf(first), 'select pg_reload_conf()')
  const stop = () => {
    for (const child of [primary, standby]) child.kill('SIGKILL')
  }
  process.once('exit', stop)
  return {
    url: `postgres://vitrine@127.0.0.1:${first},127.0.0.1:${second}/postgres`,
    killPrimary: () => void primary.kill('SIGKILL'),
    promoteStandby: async () => {
      // It waits for nobody: its own standby has yet to be made.
      await ask(urlOf(second), 'select pg_promote(true, 30)')
      await ask(urlOf(second), 'alter system reset synchronous_standby_names')
      await ask(urlOf(second), 'select pg_reload_conf()')
    },
    stop,
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function answered(url: string): Promise<void> {
  for (;;) {
    const reason = await ask(url, 'select 1').catch((error: unknown) => error)
    if (reason === undefined) return
    await pause(100)
  }
}
