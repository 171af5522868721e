import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, requireProgram, runProgram } from './programs.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

/**
 * HAProxy before services, as strict as it can be: it asks each whether it is ready once a second, and
 * sends no request a second time.
 */
export async function startHaproxy(folder: string, ports: number[]): Promise<Program> {
  const haproxy = requireProgram('haproxy')
  const port = await freePort()
  const servers = ports.map(
    (each, index) => `  server s${index} 127.0.0.1:${each} check inter 1s fall 2 rise 1`,
  )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 2s
frontend drill
  bind 127.0.0.1:${port}
  default_backend services
backend services
  balance roundrobin
  option httpchk GET /readyz
${servers.join('\n')}
`,
  )
  const logFile = join(folder, 'haproxy.log')
  return runProgram(haproxy, ['-db', '-f', file], { port, logFile })
}
