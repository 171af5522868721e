import { describe, expect, test } from 'vitest'
import { daysAfter, monthsAfter, weeksOf } from '../../../src/web/kit/forms/calendar.ts'

describe('the days of a calendar', () => {
  test('go on over the ends of months and years', () => {
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
    expect(daysAfter('2028-03-01', -1)).toBe('2028-02-29')
  })

  test('keep their number in another month, or take its last', () => {
    expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28')
    expect(monthsAfter('2026-01-15', -1)).toBe('2025-12-15')
    expect(monthsAfter('2027-11-30', 3)).toBe('2028-02-29')
  })

  test('stand in weeks that begin as the region has it', () => {
    const byMonday = weeksOf('2026-02-10', 1)
    expect(byMonday).toHaveLength(5)
    expect(byMonday[0]?.[0]).toBe('2026-01-26')
    expect(byMonday.at(-1)?.at(-1)).toBe('2026-03-01')
    const bySunday = weeksOf('2026-02-10', 7)
    expect(bySunday).toHaveLength(4)
    expect(bySunday[0]?.[0]).toBe('2026-02-01')
  })
})
