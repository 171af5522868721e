import { readFileSync } from 'node:fs'

/** The code of a system error ('ENOENT', 'EEXIST' …), otherwise undefined. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Fields of /proc/<pid>/stat after the command, which may contain spaces and parentheses. */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Zombies count as ended: nothing of them runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
  return readStat(pid)?.[0] !== 'Z'
}

/**
 * Distinguishes a process from a later one with the same pid: boot id and start tick. Undefined
 * without /proc.
 */
export function startMark(pid: number): string | undefined {
  const startTicks = readStat(pid)?.[19]
  if (startTicks === undefined) return undefined
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
}
