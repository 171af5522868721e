import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

/** Which lines the house's own rules find fault with. */
function faultsIn(lines: string[]): string[] {
  const file = join(mkdtempSync(join(inject('scratchFolder'), 'lint-')), 'page.tsx')
  writeFileSync(file, lines.join('\n'))
  const program = join('node_modules', 'oxlint', 'bin', 'oxlint')
  const args = [program, '--config', '.oxlintrc.json', '--format', 'json', file]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[]
  }
  const own = diagnostics.filter(({ code }) => code.startsWith('vitrine('))
  return own.map(({ code, labels }) => `${labels[0]!.span.line} ${code}`).sort()
}

test('markup cannot be inserted into a page as text', () => {
  const faults = faultsIn([
    "export const one = <p dangerouslySetInnerHTML={{ __html: '<b>' }} />",
    "const props = { dangerouslySetInnerHTML: { __html: '<b>' } }",
    'export const two = <p {...props} />',
    "export const three = <p {...{ 'dangerouslySetInnerHTML': props }} />",
    'export const four = <p class="dangerouslySetInnerHTML">dangerouslySetInnerHTML</p>',
  ])
  expect(faults).toEqual([
    '1 vitrine(no-raw-markup)',
    '2 vitrine(no-raw-markup)',
    '4 vitrine(no-raw-markup)',
  ])
})
