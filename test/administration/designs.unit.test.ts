import { expect, test } from 'vitest'
import { defaultDesign, designChange, wholeDesign } from '../../src/domain/site/designs.ts'

test('a design that was stored before a field existed is audited as if it had the default', () => {
  const stored: Partial<typeof defaultDesign> = { ...defaultDesign }
  delete stored.newest
  delete stored.columns
  const after = { ...defaultDesign, newest: 3, isFramed: false }
  expect(designChange(wholeDesign(stored), after)).toEqual({
    before: { newest: 9, isFramed: true },
    after: { newest: 3, isFramed: false },
  })
})
