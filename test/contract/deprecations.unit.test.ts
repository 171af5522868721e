import { expect, test } from 'vitest'
import { readContract } from '../../codegen/contract.ts'
import { emitDeprecations } from '../../codegen/deprecations.ts'
import { emitPublicDocument } from '../../codegen/public_document.ts'
import { problemLines, smallContract, withEdit } from './small_contract.ts'

const operation = '      operationId: list_things\n'
const parameter = '        - name: kind\n'
const marked = (mark: string) => withEdit(smallContract, operation, `${operation}      ${mark}\n`)
const deprecated = withEdit(
  marked('deprecated: true\n      x-deprecated: { since: 2026-12-01, sunset: 2027-12-01 }'),
  parameter,
  `${parameter}          deprecated: true\n          x-deprecated: { since: 2026-10-01 }\n`,
)

test('days of the contract become the headers of RFC 9745 and RFC 8594', async () => {
  expect(await problemLines(deprecated)).toEqual([])
  const contract = (await readContract(deprecated)).contract!
  expect(emitDeprecations(contract)).toContain(
    `  list_things: { operation: { Deprecation: '@1796083200', Sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' },` +
      ` parameters: { 'query kind': { Deprecation: '@1790812800' } } },\n`,
  )
  const document = emitPublicDocument(contract)
  expect(document.match(/"deprecated": true/g)).toHaveLength(2)
  expect(document).not.toContain('x-deprecated')
})

test.each([
  ['deprecated: true', 'needs deprecated: true and x-deprecated with its day, since'],
  [
    'x-deprecated: { since: 2026-12-01 }',
    'needs deprecated: true and x-deprecated with its day, since',
  ],
  [
    'deprecated: true\n      x-deprecated: { since: soon }',
    'x-deprecated has since and sunset, days such as 2026-12-01',
  ],
  [
    'deprecated: true\n      x-deprecated: { since: 2026-12-01, until: 2028-01-01 }',
    'x-deprecated has since and sunset, days such as 2026-12-01',
  ],
  [
    'deprecated: true\n      x-deprecated: { since: 2026-12-01, sunset: 2027-11-30 }',
    'x-deprecated has a sunset less than 12 months after since',
  ],
])('%s is refused where a client would not know the day', async (mark, message) => {
  const text = marked(mark)
  const line = text.split('\n').indexOf(operation.trimEnd())
  expect(await problemLines(text)).toEqual([`${line} list_things: ${message}`])
})
