import { describe, expect, test } from 'vitest'
import { isMisleading } from '../../src/domain/site/misleading_names.ts'

describe('a name of a shop', () => {
  test.each([
    'paypal-login',
    'paypa1',
    'b1nance',
    'ver1fy-me',
    'pay-pal',
    'g00gle-shop',
    'my-bank',
    'log-in',
    'secure-shop',
    'giris-sayfasi',
    'trendyol-resmi',
    'apple',
  ])('is looked at: %s', (name) => expect(isMisleading(name)).toBe(true))

  test.each([
    'gul-kozmetik',
    'pineapple-soap',
    'rose-balm',
    'river-bankside',
    'visage',
    'shop-1923',
    'loginova-art',
  ])('is not looked at: %s', (name) => expect(isMisleading(name)).toBe(false))
})
