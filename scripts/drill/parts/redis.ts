import { join } from 'node:path'
import { freePort, type Program, requireProgram, runProgram } from './programs.ts'

export async function startRedis(folder: string): Promise<Program> {
  const redis = requireProgram('redis-server')
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return runProgram(redis, args, { port, logFile: join(folder, 'redis.log') })
}
