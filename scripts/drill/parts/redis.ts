import { join } from 'node:path'
import { type Program, requireProgram, runProgram } from './programs.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

export async function startRedis(folder: string): Promise<Program> {
  const redis = requireProgram('redis-server')
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return runProgram(redis, args, { port, logFile: join(folder, 'redis.log') })
}
