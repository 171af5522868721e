import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runContract } from './run.ts'

/*
 * npm run contract -- --base-url https://api.example.com --key wsk_… --workspace ws_…
 *
 * Holds a running service against its own document: examples, refusals, limits, random and broken calls,
 * and sequences of writes, inside one workspace that is left as it was found. Exit 1 on a violation.
 */

const usage = `npm run contract -- --base-url <url> --key <key> --workspace <id>
  --limited-key <key>        a key with the scope workspaces:read alone, which all others must refuse
  --foreign-workspace <id>   a workspace of another account, which must stay closed
  --tags <names>             only operations with these tags, separated by commas
  --calls <n>                how many random calls (2000)
  --steps <n>                how many steps against a model of the catalogue (100)
  --seed <n>                 repeats the random calls and steps of another run
  --junit <file>             writes the results for CI`

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    key: { type: 'string' },
    workspace: { type: 'string' },
    'limited-key': { type: 'string' },
    'foreign-workspace': { type: 'string' },
    tags: { type: 'string' },
    calls: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    junit: { type: 'string' },
  },
})

const { 'base-url': baseUrl, key, workspace: workspaceId } = values
if (!baseUrl || !key || !workspaceId) {
  console.error(usage)
  process.exit(2)
}

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('Interrupted.')))

const seed = Number(values.seed)
console.log(`seed ${seed}`)
const startedAt = performance.now()
const { report, refusals } = await runContract(
  {
    baseUrl: baseUrl.replace(/\/$/, ''),
    key,
    workspaceId,
    limitedKey: values['limited-key'],
    foreignWorkspaceId: values['foreign-workspace'],
  },
  {
    calls: Number(values.calls),
    steps: Number(values.steps),
    seed,
    tags: values.tags?.split(','),
    signal: interrupted.signal,
  },
)
const seconds = (performance.now() - startedAt) / 1000
const violations = report.violations()
console.log(report.table())
for (const { operation, message } of violations) console.error(`\n${operation}: ${message}`)
if (!values['limited-key']) console.log('\nWithout --limited-key, scopes were not tried.')
console.log(
  `\n${report.calls()} calls in ${seconds.toFixed(1)} s, ${refusals.seen} of ${refusals.declared} declared refusals provoked, ${violations.length} violations, seed ${seed}`,
)
if (values.junit) writeFileSync(values.junit, report.junit(seconds))
process.exitCode = violations.length > 0 ? 1 : 0
