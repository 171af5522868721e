import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** The kernel's unit of CPU time on every Linux that Node runs on. */
const millisecondsPerTick = 10

/** CPU microseconds per run of the work in this process, after a warm-up. */
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

/** The first process of the database server. */
export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const file = readFileSync(join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}

/** CPU milliseconds of this process and the database. */
export async function cpuOf(postmaster: number, work: () => Promise<void>): Promise<number> {
  const [own, database] = [process.cpuUsage(), processTreeCpu(postmaster)]
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1000 + processTreeCpu(postmaster) - database
}

/** CPU milliseconds of a process with all its threads, since its start. */
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
 * CPU milliseconds of a process and all its children, including exited ones: a database server with
 * its sessions and their parallel workers.
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

/** Ticks of a process itself and of its exited children. */
function statOf(pid: number): { parent: number; own: number; ended: number } {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has just exited, and is now counted with its parent's exited children.
    return { parent: 0, own: 0, ended: 0 }
  }
  // The name in parentheses may contain spaces; the fields after it do not.
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
