import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClientFile } from '../test_clients.mjs'
import baseline from './baseline.json' with { type: 'json' }

/** The package for each revision of the protocol, and the arguments that select the revision. */
export const suites = {
  '2025-11-25': { package: 'mcp-conformance-2025', args: ['--spec-version', '2025-11-25'] },
  '2026-07-28': { package: 'mcp-conformance-2026', args: ['--requirements', '2026-07-28'] },
} as const
export type Revision = keyof typeof suites

export interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** The checks of each scenario that ran. */
export type Checks = Map<string, Check[]>

const preload = 'globSync' in fs ? [] : ['--import', join(import.meta.dirname, 'older_node.mjs')]

/** Runs a command of the suites and passes each line of its output to `listen`. */
async function run(
  revision: Revision,
  args: readonly string[],
  listen: (line: string) => void = () => undefined,
): Promise<Checks> {
  const suite = await testClientFile(suites[revision].package, 'dist', 'index.js')
  const results = fs.mkdtempSync(join(tmpdir(), 'vitrine-checks-'))
  const child = spawn(process.execPath, [...preload, suite, ...args, '-o', results])
  let pending = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    pending += text
    const lines = pending.split('\n')
    pending = lines.pop() ?? ''
    lines.forEach(listen)
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  await new Promise((resolve) => child.once('close', resolve))
  const checks = readChecks(results)
  fs.rmSync(results, { recursive: true })
  // A run without checks has failed in some other way, described in stderr.
  if (checks.size === 0) throw new Error(`The suites of ${revision} ran nothing. ${errors}`)
  return checks
}

function readChecks(results: string): Checks {
  return new Map(
    fs.readdirSync(results).map((folder) => {
      const text = fs.readFileSync(join(results, folder, 'checks.json'), 'utf8')
      const scenario = folder
        .replace(/^(server|authorization-server)-/, '')
        .replace(/-\d{4}-\d\d-\d\dT.*$/, '')
      return [scenario, JSON.parse(text) as Check[]]
    }),
  )
}

/** Runs the suites of a revision against an endpoint. */
export function checkEndpoint(revision: Revision, url: string): Promise<Checks> {
  return run(revision, ['server', '--url', url, ...suites[revision].args])
}

/** Runs the authorization server suite, with a person who answers its consent request. */
export function checkAuthorizationServer(
  issuer: string,
  options: { clientId: string; port: string; resource: string },
  consent: (url: URL) => Promise<void>,
): Promise<Checks> {
  const { clientId, port, resource } = options
  const client = ['--client-id', clientId, '--port', port, '--resource', resource]
  return run('2026-07-28', ['authorization', '--url', issuer, ...client], (line) => {
    if (line.startsWith(`${issuer}/oauth/authorize?`)) void consent(new URL(line.trim()))
  })
}

export type Target = 'service' | 'fixtures'

/** Expected failures, a scenario or one of its checks (`scenario check`), with the reason. */
function expectedOf(target: Target, revision: Revision): Map<string, string> {
  const reasons: Record<string, string[]> = {
    ...baseline.everywhere[revision],
    ...(target === 'service' ? baseline.service[revision] : {}),
  }
  const entries = Object.entries(reasons)
  return new Map(entries.flatMap(([reason, names]) => names.map((name) => [name, reason])))
}

export interface Verdict {
  /** Deviations from the baseline: unexpected failures, and entries that pass. */
  problems: string[]
  /** A line with the numbers of passes and failures. */
  figures: string
}

/** Compares failures with the baseline; a scenario without a passed check has failed. */
export function judge(target: Target, revision: Revision, checks: Checks): Verdict {
  const expected = expectedOf(target, revision)
  const outcomes = [...checks]
    .sort()
    .map(([scenario, scenarioChecks]) => outcomeOf(scenario, scenarioChecks))
  const problems = outcomes.flatMap((outcome) => surprisesOf(outcome, expected))
  for (const name of expected.keys())
    if (!checks.has(name.split(' ')[0] ?? '')) problems.push(`${name}: was not run`)
  const sum = (count: (outcome: SuiteOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0)
  const figures =
    `${target}, ${revision}: ${sum(({ isGood }) => Number(isGood))} of ${checks.size} scenarios ` +
    `passed, ${expected.size} entries in the baseline; ` +
    `${sum(({ passed }) => passed)} checks passed, ${sum(({ failures }) => failures.length)} failed`
  return { problems, figures }
}

interface SuiteOutcome {
  scenario: string
  passed: number
  failures: Check[]
  isGood: boolean
}

function outcomeOf(scenario: string, checks: Check[]): SuiteOutcome {
  const failures = checks.filter(({ status }) => status === 'FAILURE')
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  return { scenario, passed, failures, isGood: failures.length === 0 && passed > 0 }
}

function surprisesOf(
  { scenario, passed, failures, isGood }: SuiteOutcome,
  expected: Map<string, string>,
): string[] {
  if (expected.has(scenario))
    return isGood ? [`${scenario} passes: remove it from the baseline`] : []
  const failed = new Set(failures.map(({ id }) => `${scenario} ${id}`))
  const fixed = [...expected.keys()].filter((name) => {
    return name.startsWith(`${scenario} `) && !failed.has(name)
  })
  return [
    ...(passed === 0 ? [`${scenario}: nothing passed`] : []),
    ...failures
      .filter(({ id }) => !expected.has(`${scenario} ${id}`))
      .map(({ id, errorMessage }) => `${scenario} ${id}: ${errorMessage ?? 'failed'}`),
    ...fixed.map((name) => `${name} passes: remove it from the baseline`),
  ]
}
