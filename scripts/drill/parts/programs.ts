import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A program of others that is part of a drill. */
export interface Program {
  port: number
  /** What it has printed. */
  log(): string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** The same program on the same port, after it was stopped. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** Something that this machine lacks, with the way to get it. */
export class MissingProgram extends Error {}

export function requireProgram(name: string, debianPackage = name): string {
  const { stdout, status } = spawnSync('sh', ['-c', `command -v ${name}`], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  })
  if (status === 0) return stdout.trim()
  throw new MissingProgram(`${name} is not installed (Debian: apt-get install ${debianPackage}).`)
}

/** Runs a program until it is stopped; resolves when it listens. */
export async function runProgram(
  file: string,
  args: string[],
  { port, logFile }: { port: number; logFile: string },
): Promise<Program> {
  let child: ChildProcess
  const start = async () => {
    const log = openSync(logFile, 'a')
    // Those that run under a user of their own write to it, too.
    chmodSync(logFile, 0o666)
    child = spawn(file, args, { stdio: ['ignore', log, log] })
    await listening(child, port, logFile)
  }
  await start()
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    port,
    start,
    log: () => readFileSync(logFile, 'utf8'),
    signal: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

async function listening(child: ChildProcess, port: number, logFile: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await isOpen(port)) return
    await pause(20)
  }
  throw new Error(`${child.spawnfile} did not start: ${readFileSync(logFile, 'utf8').slice(-500)}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
