import { expect, test } from 'vitest'
import { dateIn, isTimeZone, midnightIn } from '../../src/core/time.ts'

test('a date begins at midnight in its zone, with half hours and in both seasons', () => {
  const begins = (zone: string, date: string) => midnightIn(zone, date).toISOString()
  expect(begins('UTC', '2026-03-29')).toBe('2026-03-29T00:00:00.000Z')
  expect(begins('Europe/Istanbul', '2026-01-05')).toBe('2026-01-04T21:00:00.000Z')
  expect(begins('Asia/Kolkata', '2026-01-05')).toBe('2026-01-04T18:30:00.000Z')
  expect(begins('Asia/Kathmandu', '2026-01-05')).toBe('2026-01-04T18:15:00.000Z')
  expect(begins('America/Los_Angeles', '2026-01-05')).toBe('2026-01-05T08:00:00.000Z')
  expect(begins('America/Los_Angeles', '2026-07-05')).toBe('2026-07-05T07:00:00.000Z')
  expect(begins('Pacific/Kiritimati', '2026-01-05')).toBe('2026-01-04T10:00:00.000Z')
  // The day on which clocks change begins by the old time, and the day after by the new one.
  expect(begins('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
  expect(begins('Europe/Berlin', '2026-03-30')).toBe('2026-03-29T22:00:00.000Z')
  expect(begins('Europe/Berlin', '2026-10-25')).toBe('2026-10-24T22:00:00.000Z')
  expect(begins('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z')
})

test('a date without a midnight, or with two, begins with its first moment', () => {
  for (const [zone, date] of [
    // Clocks skip from 00:00 to 01:00.
    ['Africa/Cairo', '2026-04-24'],
    ['America/Santiago', '2026-09-06'],
    // They go back from 01:00 to 00:00, and from 24:00 to 23:00.
    ['America/Havana', '2026-11-01'],
    ['America/Santiago', '2026-04-05'],
  ] as const) {
    const first = midnightIn(zone, date)
    expect(dateIn(zone, first), zone).toBe(date)
    expect(dateIn(zone, new Date(first.getTime() - 1)) < date, zone).toBe(true)
  }
})

test('a zone is known by its name, and an offset is none', () => {
  for (const name of ['Europe/Istanbul', 'UTC', 'America/Argentina/Buenos_Aires'])
    expect(isTimeZone(name), name).toBe(true)
  for (const name of ['Mars/Olympus', '+03:00', 'istanbul', ' ', 'Europe/Istanbul;'])
    expect(isTimeZone(name), name).toBe(false)
})
