import { expect, test } from 'vitest'
import { srcsetOf } from '../../../src/site/parts/srcset.ts'

test('a picture is named in the widths that a page may show', () => {
  const url = 'https://api.example/media/ws_1/aBc-d_2.jpg'
  expect(srcsetOf(url, [320, 640])).toBe(
    'https://api.example/media/ws_1/aBc-d_2-320.webp 320w, ' +
      'https://api.example/media/ws_1/aBc-d_2-640.webp 640w',
  )
})

test('a picture that may move is shown as it is', () => {
  expect(srcsetOf('https://api.example/media/ws_1/a.gif', [320])).toBe(undefined)
})
