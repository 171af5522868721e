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

/** What the bench ends with when it has measured these pages. */
function endOf(...changes: Partial<PageCost>[]): { status: number | null; told: string[] } {
  const pages = JSON.stringify(changes.map((change) => ({ ...good, ...change })))
  const script = `import { printPages } from ${JSON.stringify(table)}; printPages(${pages})`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, told: stderr.trim().split('\n') }
}

test('the bench succeeds where every figure is at its limit; a page that is drawn has none of time', () => {
  expect(endOf({}, { name: 'list page, drawn', perSecond: 1, p99: 900 })).toEqual({
    status: 0,
    told: [''],
  })
})

test('the bench fails where a figure is beyond its limit, and says which', () => {
  expect(endOf({}, { ratio: 0.31 }, { perSecond: 999 }, { p99: 50.1 }, { bytes: 6145 })).toEqual({
    status: 1,
    told: [
      'Beyond their limits:',
      'list page, kept, ratio: 0.31, limit ≤ 0.3',
      'list page, kept, calls/s: 999.00, limit ≥ 1000',
      'list page, kept, p99 ms: 50.10, limit ≤ 50',
      'list page, kept, bytes: 6145.00, limit ≤ 6144',
    ],
  })
})
