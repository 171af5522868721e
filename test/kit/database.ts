import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Without an address the driver would try whatever listens at the usual port. */
function serverUrl(): string {
  const url = inject('serverUrl') as string | undefined
  if (url === undefined) throw new Error('A unit test has no database.')
  return url
}

/** A distributed database is one on each node, under the same name. */
async function onServers(work: (url: string) => Promise<void>): Promise<void> {
  await Promise.all([serverUrl(), ...inject('workerUrls')].map(work))
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Copying fails while any session uses the template, such as another copy that is finishing. */
async function createRetrying(url: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onServer(url, statement)
    } catch (error) {
      const objectInUse = error instanceof pg.DatabaseError && error.code === '55006'
      if (!objectInUse || attempt === 5) throw error
    }
  }
}

async function createFrom(template: string, options = ''): Promise<TestDatabase> {
  const name = `vitrine_test_${randomBytes(8).toString('hex')}`
  const statement = `create database ${name} template ${template} ${options}`
  await onServers((server) => createRetrying(server, statement))
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  const drop = `drop database if exists ${name} with (force)`
  return { url: url.href, drop: () => onServers((server) => onServer(server, drop)) }
}

/**
 * A new, empty database with every migration applied. Copied as files, which takes half as long as
 * copying through the WAL.
 */
export const createDatabase = (): Promise<TestDatabase> =>
  createFrom(inject('templateName'), 'strategy file_copy')

/** A database without tables; options are those of CREATE DATABASE. */
export const createEmptyDatabase = (options = ''): Promise<TestDatabase> =>
  createFrom('template0', options)
