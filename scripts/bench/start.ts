import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { median, processCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'

/** CPU milliseconds of the service from start to ready, on an existing database. */
export async function benchStart(): Promise<number> {
  const dataDir = await makeDataFolder()
  try {
    await startOnce(dataDir)
    const runs = [await startOnce(dataDir), await startOnce(dataDir), await startOnce(dataDir)]
    return median(runs)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', ...freePorts }
  const child = spawn(process.execPath, ['dist/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitForOutput(child, 'is ready')
  const cpu = processCpu(child.pid!)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  return cpu
}

/** 0 lets the system choose a port. */
const freePorts = { API_PORT: '0', DASHBOARD_PORT: '0', ADMIN_PORT: '0' }

function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`The service ended before it was ready.\n${output}`)))
  })
}
