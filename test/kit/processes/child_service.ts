import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { freePorts } from '../free_ports.ts'
import type { TestService } from '../service.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** The built service in a process of its own, on the database of a test's service. */
export interface ChildService {
  urls: { api: string; site: string }
  /** Ends it as `kill -9` does; nothing if it has ended. */
  kill(): Promise<void>
}

export function buildService(): void {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
}

const sessionsOfChildren = 'killed'

export async function startChild(
  { config }: Pick<TestService, 'config'>,
  database: { url: string },
  env: Record<string, string> = {},
): Promise<ChildService> {
  const [api, dashboard, admin, site] = await freePorts()
  const url = new URL(database.url)
  url.searchParams.set('application_name', sessionsOfChildren)
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url.href,
      SEED_DEMO: 'false',
      API_PORT: api,
      DASHBOARD_PORT: dashboard,
      ADMIN_PORT: admin,
      SITE_PORT: site,
      DATA_DIR: mkdtempSync(join(inject('scratchFolder'), 'child-')),
      SECRET_KEY: config.secretKey,
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'silent',
      ...env,
    },
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Vitrine is ready')) resolve()
      })
    child.once('close', (code, signal) =>
      reject(new Error(`It ended with ${code ?? signal} before it was ready.\n${output}`)),
    )
  })
  return {
    urls: { api: `http://127.0.0.1:${api}`, site: `http://127.0.0.1:${site}` },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits until the database notices that its clients are gone. */
export function childSessionsEnded({ connection }: Pick<TestService, 'connection'>): Promise<void> {
  const open = async () => {
    const { rows } = await connection.pool.query(
      `select from pg_stat_activity
       where application_name = '${sessionsOfChildren}' and datname = current_database()`,
    )
    return rows.length
  }
  return expect.poll(open).toBe(0)
}
