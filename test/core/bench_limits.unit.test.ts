import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PageCost } from '../../scripts/bench/shops/pages.ts'

const table = join(import.meta.dirname, '..', '..', 'scripts', 'bench', 'table.ts')

const good: PageCost = {
  name: 'list page, kept',
  ratio: 0.3,
  limit: 0.3,
  cpu: 1,
  perSecond: 1000,
  p99: 50,
  bytes: 6144,
  maxBytes: 6144,
}

/** What the bench ends with when it has measured this page. */
function endOf(change: Partial<PageCost>): { status: number | null; told: string } {
  const page = JSON.stringify({ ...good, ...change })
  const script = `import { printPages } from ${JSON.stringify(table)}; printPages([${page}])`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, told: stderr.trim() }
}

test('the bench succeeds where every figure is at its limit', () => {
  expect(endOf({})).toEqual({ status: 0, told: '' })
})

test.each([
  [{ ratio: 0.31 }, 'list page, kept, ratio: 0.31, limit ≤ 0.3'],
  [{ perSecond: 999 }, 'list page, kept, calls/s: 999.00, limit ≥ 1000'],
  [{ p99: 50.1 }, 'list page, kept, p99 ms: 50.10, limit ≤ 50'],
  [{ bytes: 6145 }, 'list page, kept, bytes: 6145.00, limit ≤ 6144'],
])('the bench fails, and says what is beyond its limit: %j', (change, line) => {
  expect(endOf(change)).toEqual({ status: 1, told: `Beyond their limits:\n${line}` })
})

test('a page that is drawn has no limit of time', () => {
  expect(endOf({ name: 'list page, drawn', perSecond: 1, p99: 900 })).toEqual({
    status: 0,
    told: '',
  })
})
