import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import baseline from './baseline.json' with { type: 'json' }

/** One release of the suites, and how it is told which revision to hold the service against. */
export const suites = {
  '2025-11-25': { version: '0.1.16', args: ['--spec-version', '2025-11-25'] },
  '2026-07-28': { version: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'] },
} as const
export type Revision = keyof typeof suites

const tools = join(tmpdir(), 'vitrine-conformance')

/** Installs a package for itself, once, and says where it is. */
function installed(name: string, version: string): string {
  const folder = join(tools, `${name.replace('/', '-')}-${version}`)
  const at = join(folder, 'node_modules', name)
  if (!existsSync(at)) {
    mkdirSync(folder, { recursive: true })
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
    const args = ['install', '--prefix', folder, ...options, `${name}@${version}`]
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return at
}

/** The suites need Node 22. The package of a platform holds nothing but its binary. */
function recentNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  return join(installed(`node-${process.platform}-${process.arch}`, '24'), 'bin', 'node')
}

export interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Runs the suites of a revision; the checks of each scenario. */
export async function checksOf(revision: Revision, url: string): Promise<Map<string, Check[]>> {
  const { version, args } = suites[revision]
  const suite = join(installed('@modelcontextprotocol/conformance', version), 'dist', 'index.js')
  const results = mkdtempSync(join(tmpdir(), 'vitrine-checks-'))
  const child = spawn(recentNode(), [suite, 'server', '--url', url, ...args, '-o', results], {
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.once('exit', resolve))
  const checks = new Map<string, Check[]>()
  for (const folder of readdirSync(results)) {
    const text = readFileSync(join(results, folder, 'checks.json'), 'utf8')
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    checks.set(scenario, JSON.parse(text) as Check[])
  }
  rmSync(results, { recursive: true })
  return checks
}

export type Target = keyof typeof baseline

/** What is expected to fail, a scenario or one check of it (`scenario check`), and the reason. */
function expectedOf(target: Target, revision: Revision): Record<string, string> {
  const reasons: Record<string, string[]> = baseline[target][revision]
  return Object.fromEntries(
    Object.entries(reasons).flatMap(([reason, names]) => names.map((name) => [name, reason])),
  )
}

/** Holds what failed against the baseline; a scenario in which nothing was checked has failed. */
export function judge(target: Target, revision: Revision, checks: Map<string, Check[]>): string[] {
  const expected = expectedOf(target, revision)
  const count = { scenarios: 0, passed: 0, failed: 0 }
  const problems: string[] = []
  for (const [scenario, made] of [...checks].sort()) {
    const failures = made.filter(({ status }) => status === 'FAILURE')
    const passed = made.filter(({ status }) => status === 'SUCCESS').length
    const good = failures.length === 0 && passed > 0
    count.scenarios += good ? 1 : 0
    count.passed += passed
    count.failed += failures.length
    const names = Object.keys(expected).filter((name) => name.split(' ')[0] === scenario)
    if (good) problems.push(...names.map((name) => `${name} passes: take it off the baseline`))
    console.log(`${good ? 'passed' : 'failed'}  ${scenario}  ${expected[names[0] ?? ''] ?? ''}`)
    if (good || expected[scenario] !== undefined) continue
    const surprises = failures.filter(({ id }) => expected[`${scenario} ${id}`] === undefined)
    if (passed === 0) problems.push(`${scenario}: nothing passed`)
    problems.push(...surprises.map(({ id, errorMessage }) => `${scenario} ${id}: ${errorMessage}`))
  }
  const gone = Object.keys(expected).filter((name) => !checks.has(name.split(' ')[0]!))
  problems.push(...gone.map((scenario) => `${scenario}: was not run`))
  const { scenarios, passed, failed } = count
  console.log(
    `${target}, ${revision}: ${scenarios} of ${checks.size} scenarios passed, ` +
      `${Object.keys(expected).length} are in the baseline; ` +
      `${passed} checks passed, ${failed} failed\n`,
  )
  return problems
}
