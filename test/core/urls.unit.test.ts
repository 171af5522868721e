import { expect, test } from 'vitest'
import { parsedUrl } from '../../src/core/urls.ts'

test('an address with letters of other languages is one, however often it is asked for', () => {
  const hosts = new Set<string | undefined>()
  for (let count = 0; count < 20_000; count++) hosts.add(parsedUrl('https://bücher.example')?.host)
  expect([...hosts]).toEqual(['xn--bcher-kva.example'])
  expect(parsedUrl('/ü', 'https://shop.example')?.href).toBe('https://shop.example/%C3%BC')
})

test('what is no address is none', () => {
  expect([parsedUrl('shop'), parsedUrl('https://'), parsedUrl('/', 'shop')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
