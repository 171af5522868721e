import { execFileSync } from 'node:child_process'

/** A PostgreSQL server and its sessions, each of which is a process. */
function processesOf(postmaster: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  const children = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (parent === postmaster && pid ? [pid] : []))
  return [postmaster, ...children]
}

/** Sends a signal to a PostgreSQL server and all its sessions. */
export function signalServer(postmaster: number, name: NodeJS.Signals): void {
  for (const pid of processesOf(postmaster))
    try {
      process.kill(pid, name)
    } catch {
      // A session that has ended meanwhile.
    }
}
