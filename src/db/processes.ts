import { readFileSync } from 'node:fs'

/** The code of a system error ('ENOENT', 'EEXIST' …), or undefined for anything else. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Fields of /proc/<pid>/stat behind the command's name, which may itself hold blanks and brackets. */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** A zombie counts as ended: nothing of it runs, even if its parent never collects it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
  return readStat(pid)?.[0] !== 'Z'
}

/**
 * What tells a process from a later one with the same pid: the boot and the tick it started at.
 * Undefined where the system has no /proc.
 */
export function startMark(pid: number): string | undefined {
  const startTicks = readStat(pid)?.[19]
  if (startTicks === undefined) return undefined
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
}
