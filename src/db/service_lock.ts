import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, startMark, systemCode } from './processes.ts'

interface Holder {
  pid: number
  startMark?: string | undefined
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return typeof holder?.pid === 'number' ? { ...holder, pid: holder.pid } : undefined
  } catch {
    return undefined
  }
}

/** The process named in a lock file, if it is still running. */
function liveHolder(text: string): Holder | undefined {
  const holder = parseHolder(text)
  if (holder === undefined || !isRunning(holder.pid)) return undefined
  const mark = startMark(holder.pid)
  const pidWasReused =
    mark !== undefined && holder.startMark !== undefined && mark !== holder.startMark
  return pidWasReused ? undefined : holder
}

/** Removes a stale lock; throws while its holder is running. */
function clearStaleLock(folder: string, path: string, aside: string): void {
  const content = readIfPresent(path)
  if (content === undefined) return
  const holder = liveHolder(content)
  if (holder !== undefined) {
    throw new Error(
      `Another service, process ${holder.pid}, is using the data folder ${folder}: ` +
        `stop it or set DATA_DIR to another folder (its lock is ${path}).`,
    )
  }
  // Two starters may find the same stale lock. Renaming it is atomic, so only one of them gets it;
  // the other may catch the winner's new lock and then puts it back.
  try {
    renameSync(path, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readIfPresent(aside)
  if (moved !== undefined && liveHolder(moved) !== undefined) linkSync(aside, path)
  rmSync(aside, { force: true })
}

/**
 * Locks a folder for this process until the returned function is called. The lock records pid and
 * start time, so neither a crash nor a reused pid keeps the folder locked.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'service.lock')
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const claim = JSON.stringify({ pid: process.pid, startMark: startMark(process.pid) })
  // Linking a complete file makes the lock appear atomically: no reader sees half of it.
  writeFileSync(draft, claim)
  try {
    for (;;) {
      try {
        linkSync(draft, path)
        break
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
        clearStaleLock(folder, path, `${draft}.stale`)
      }
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (readIfPresent(path) === claim) rmSync(path, { force: true })
  }
}
