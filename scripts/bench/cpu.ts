import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts CPU in these units on every Linux that Node runs on. */
const millisecondsPerTick = 10

/** Microseconds of CPU that one run of the work costs this process, after a warm-up. */
export async function cpuMicroseconds(
  runs: number,
  work: (run: number) => Promise<unknown>,
): Promise<number> {
  for (let run = 0; run < runs / 4; run++) await work(run)
  const before = process.cpuUsage()
  for (let run = 0; run < runs; run++) await work(run)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runs
}

/** CPU milliseconds of a process with all its threads, since it began. */
export function processCpu(pid: number): number {
  const { own } = statOf(pid)
  return own * millisecondsPerTick
}

/** Megabytes of memory that a process holds, its own code included. */
export function processMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

/**
 * CPU milliseconds of a process and all its children, those that have ended included: a database
 * server with its sessions, and the helpers that a session called in.
 */
export function processTreeCpu(pid: number): number {
  const { own, ended } = statOf(pid)
  let ticks = own + ended
  for (const entry of readdirSync('/proc')) {
    const child = Number(entry)
    if (child > 0 && statOf(child).parent === pid) ticks += statOf(child).own
  }
  return ticks * millisecondsPerTick
}

/** The ticks of a process itself and of its children that have ended. */
function statOf(pid: number): { parent: number; own: number; ended: number } {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It ended a moment ago, and is now among the ended children of its parent.
    return { parent: 0, own: 0, ended: 0 }
  }
  // The name in brackets may hold spaces; the fields behind it do not.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent: fields[1] ?? 0, own: user + system, ended: endedUser + endedSystem }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
