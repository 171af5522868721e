import type { CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import type { Log } from '../../core/log.ts'
import type { Connection } from '../connect.ts'
import { statementName } from '../prepared.ts'
import type { Database } from '../schema.ts'
import { openNode, type ShardNode } from './nodes.ts'
import { readIsDistributed, readShards, readStart } from './places.ts'
import { setDistributed, type ShardNumbers, textOnShards } from './routes.ts'

/** What this process knows of the shards, from what it has asked the coordinator. */
export interface ShardDirectory {
  coordinator: Kysely<Database>
  pool: pg.Pool
  log: Log
  /** Undefined until the database was asked. */
  isDistributed: boolean | undefined
  shardsOfWorkspaces: Map<string, string>
  numbersOfShards: Map<string, ShardNumbers>
  /** Statements as they read on the tables of a shard. */
  texts: Map<string, string>
  nodes: Map<string, ShardNode>
}

const maxWorkspaces = 20_000
const maxTexts = 2000

export function createDirectory({ db, pool }: Connection, log: Log): ShardDirectory {
  return {
    coordinator: db,
    pool,
    log,
    isDistributed: undefined,
    shardsOfWorkspaces: new Map(),
    numbersOfShards: new Map(),
    texts: new Map(),
    nodes: new Map(),
  }
}

async function examine(directory: ShardDirectory): Promise<void> {
  const { coordinator, shardsOfWorkspaces } = directory
  directory.isDistributed = await readIsDistributed(coordinator)
  if (directory.isDistributed)
    setDistributed(coordinator, { shardOf: (workspaceId) => shardsOfWorkspaces.get(workspaceId) })
}

/** Finds the shards of a workspace for its next calls. */
async function learn(directory: ShardDirectory, workspaceId: string): Promise<void> {
  const { coordinator, numbersOfShards, shardsOfWorkspaces } = directory
  const { shard, numbers } = await readShards(coordinator, workspaceId)
  numbersOfShards.set(shard, numbers)
  keep(shardsOfWorkspaces, workspaceId, shard, maxWorkspaces)
}

/** Finds what the next calls need to know. */
export async function findShards(directory: ShardDirectory, workspaceId: string): Promise<void> {
  await (directory.isDistributed ? learn(directory, workspaceId) : examine(directory)).catch(
    () => undefined,
  )
}

/** What was known of a workspace's shards is out of date. */
export function forget({ shardsOfWorkspaces, texts }: ShardDirectory, workspaceId: string): void {
  shardsOfWorkspaces.delete(workspaceId)
  texts.clear()
}

export function nodeAt(directory: ShardDirectory, name: string): ShardNode {
  const { coordinator, pool, log, nodes } = directory
  let node = nodes.get(name)
  if (!node) {
    const startOf = (workspaceId: string) => readStart(coordinator, workspaceId)
    nodes.set(name, (node = openNode({ name, coordinator: pool, startOf, log })))
  }
  return node
}

/** A statement as it reads on the tables of a shard; undefined if these are not known yet. */
export function textOf(
  { numbersOfShards, texts }: ShardDirectory,
  compiled: CompiledQuery,
  shard: string,
): string | undefined {
  const numbers = numbersOfShards.get(shard)
  if (!numbers) return undefined
  if (statementName(compiled.sql) === undefined) return textOnShards(compiled, numbers)
  const key = `${shard} ${compiled.queryId.queryId}`
  const text = texts.get(key) ?? textOnShards(compiled, numbers)
  keep(texts, key, text, maxTexts)
  return text
}

/** A map keeps the order of insertion, so the entry unused for longest comes first. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}
