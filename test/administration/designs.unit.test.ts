import { expect, test } from 'vitest'
import { defaultDesign, designChange } from '../../src/domain/site/designs.ts'

test('a design that was stored before a field existed is audited as if it had the default', () => {
  const before: Partial<typeof defaultDesign> = { ...defaultDesign }
  delete before.newest
  delete before.columns
  const after = { ...defaultDesign, newest: 3, isFramed: false }
  expect(designChange(before as typeof defaultDesign, after)).toEqual({
    before: { newest: 9, isFramed: true },
    after: { newest: 3, isFramed: false },
  })
})
