import { describe, expect, test } from 'vitest'
import { closedNewcomers } from '../../codegen/compatibility/newcomers.ts'
import { breaksBetween } from '../../codegen/compatibility/releases.ts'
import { acceptedBreaks } from './releases/accepted_breaks.ts'
import { readRelease, releaseDays, today } from './releases/releases.ts'

const accepted = acceptedBreaks.flatMap(({ breaks }) => breaks)
const breaksSince = new Map(
  releaseDays.map((day) => [day, breaksBetween(readRelease(day), today())] as const),
)

const closed = closedNewcomers(
  releaseDays.map((day) => readRelease(day).document),
  today().document,
)

describe('v1 is a promise', () => {
  test.each(releaseDays)('clients of the release of %s still work', (day) => {
    // A break belongs into releases/accepted_breaks.ts with its reason, or does not happen.
    expect(breaksSince.get(day)!.filter((each) => !accepted.includes(each))).toEqual([])
  })

  test('a new answer is open, so that it can gain fields', () => {
    // Mark the schema with x-open; an inline answer becomes a component first.
    expect(closed.filter((each) => !accepted.includes(each))).toEqual([])
  })

  test('its version is that of the specification', () => {
    expect(today().document.info.version).toBe('1.0.0')
  })
})

describe('the list of accepted breaks', () => {
  test('holds only what is still found', () => {
    const found = [...breaksSince.values(), closed].flat()
    expect(accepted.filter((each) => !found.includes(each))).toEqual([])
  })

  test('holds each once, with a day and a reason', () => {
    expect(accepted.filter((each, index) => accepted.indexOf(each) !== index)).toEqual([])
    for (const { date, reason } of acceptedBreaks) {
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
      expect(reason).toMatch(/^[A-Z].{20,}\.$/)
    }
  })
})

test('the comparison names what the release of 2026-11-16 broke', () => {
  const breaks = breaksBetween(readRelease('2026-11-15'), readRelease('2026-11-16'))
  expect(breaks.filter((each) => !each.startsWith('tool '))).toEqual([
    'answer FaceAnalysis: is closed and gains products, citations',
    'answer ProductChatAnswer: is closed and gains citations',
    'answer RoutineChatAnswer: is closed and gains citations',
    'complete_media_upload 401: is a new status',
    'list_products query sort: has another default',
    'list_products query status: no longer takes the type string',
    'remove_collection_product 409: is a new status',
    'remove_collection_tag 409: is a new status',
    'remove_product_tag 409: is a new status',
    'request ImageBytes: no longer takes any type',
    'request MediaUpload.fileName: has another pattern',
    'request MediaUploadCreate.fileName: has another pattern',
    'request PersonName: has another pattern',
    'request Picture: has another pattern',
    'request SubDomain: has another pattern',
    'request WebsiteUpdate.theme.font: has another pattern',
    'request WorkspaceName: has another pattern',
  ])
})
