import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../src/site/address.ts'
import { isGtin } from '../../../src/site/documents/facts.ts'
import { jsx } from '../../../src/site/jsx_runtime.ts'
import { createKeptPages } from '../../../src/site/kept_pages.ts'
import { contrastOf, inkOn, readable } from '../../../src/site/look/colors.ts'
import { templateKeys, templateOf } from '../../../src/site/look/templates.ts'
import { themeStyle } from '../../../src/site/look/theme.ts'
import { stylesheetOf } from '../../../src/site/look/stylesheets.ts'
import { render } from '../../../src/site/render.ts'

describe('a drawing', () => {
  test('has text as text, in elements and in attributes', () => {
    const hostile = `"'><script>alert(1)</script>&`
    const escaped = `&quot;'&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;`
    const paragraph = jsx('p', { title: hostile, children: hostile })
    expect(render(paragraph)).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  test('has no way to insert markup', () => {
    const markup = jsx('p', { dangerouslySetInnerHTML: { __html: '<b>' } })
    expect(() => render(markup)).toThrow('Markup cannot be inserted.')
    expect(() => render(jsx('style', { children: '</style><script>' }))).toThrow('markup')
    const json = JSON.stringify({ name: '</script><script>alert(1)</script>' })
    const script = render(jsx('script', { type: 'application/ld+json', children: json }))
    expect(script.match(/<\/?script/g)).toHaveLength(2)
    expect(JSON.parse(script.replace(/<[^>]*>/g, ''))).toEqual(JSON.parse(json))
  })

  test('leaves out what is false, and writes nothing for nothing', () => {
    const input = jsx('input', { disabled: false, required: true, value: null, 'aria-busy': false })
    expect(render([null, undefined, false, true, input, 0])).toBe(
      '<input required aria-busy="false">0',
    )
  })
})

describe('the address of a page', () => {
  test.each([
    ['/', '', { kind: 'home', name: '', page: 1, hasPage: false }],
    ['/products', 'page=3&utm=x', { kind: 'products', name: '', page: 3, hasPage: true }],
    ['/p/rose-balm', 'page=3', { kind: 'product', name: 'rose-balm', page: 1, hasPage: false }],
    ['/search', 'q=%20a%20%20b', { kind: 'search', name: 'a b', page: 1, hasPage: false }],
    ['/products', 'page=01', { kind: 'unknown', name: '', page: 1, hasPage: false }],
    ['/p/a/b', '', { kind: 'unknown', name: '', page: 1, hasPage: false }],
    ['/p/%E0%A4%A', '', { kind: 'unknown', name: '', page: 1, hasPage: false }],
  ])('%s?%s', (path, query, address) => expect(addressOf(path, query)).toEqual(address))
})

describe('a trade item number', () => {
  test.each([
    ['8690000000012', true],
    ['8690000000013', false],
    ['96385074', true],
    ['012345678905', true],
    ['abc', false],
    ['', false],
  ])('%s: %s', (barcode, expected) => expect(isGtin(barcode)).toBe(expected))
})

describe('kept pages', () => {
  const pageOf = (size: number) => {
    const plain = Buffer.alloc(size)
    return { type: '', etag: '', plain, brotli: undefined, policy: undefined, isListed: true }
  }

  const site = { workspaceId: 'ws_1', version: '1.0' }

  test('never take more than their memory, and drop what was unused for longest', () => {
    const kept = createKeptPages(100_000)
    for (let index = 0; index < 50; index++) {
      kept.keep(site, `page ${index}`, pageOf(9_000))
      kept.find(site, 'page 0')
      expect(kept.bytes()).toBeLessThanOrEqual(100_000)
    }
    expect(kept.find(site, 'page 0')).toBeDefined()
    expect(kept.find(site, 'page 1')).toBeUndefined()
    expect(kept.find(site, 'page 49')).toBeDefined()
  })

  test('are not displaced by a huge one', () => {
    const kept = createKeptPages(100_000)
    kept.keep(site, 'small', pageOf(1000))
    kept.keep(site, 'huge', pageOf(90_000))
    const found = [kept.find(site, 'small') === undefined, kept.find(site, 'huge')]
    expect(found).toEqual([false, undefined])
  })

  test('of a version go when another is asked for, and those of other sites stay', () => {
    const kept = createKeptPages(100_000)
    const [later, other] = [
      { ...site, version: '2.0' },
      { ...site, workspaceId: 'ws_2' },
    ]
    for (const of of [site, other])
      for (const name of ['home', 'list']) kept.keep(of, name, pageOf(1000))
    const bytes = kept.bytes()
    expect(kept.find(later, 'home')).toBeUndefined()
    expect(kept.bytes()).toBe(bytes / 2)
    kept.keep(later, 'home', pageOf(1000))
    // One that was drawn before the change is not kept after it.
    kept.keep(site, 'home', pageOf(1000))
    expect(kept.find(later, 'home')).toBeDefined()
    expect(kept.find(other, 'list')).toBeDefined()
    expect(kept.bytes()).toBe(bytes * (3 / 4))
  })
})

describe("an owner's colours", () => {
  test.each(['#ffffff', '#000000', '#ffff00', '#f2c6d0', '#7a2e4d', '#808080'])(
    '%s can be read in every template, light and dark',
    (color) => {
      for (const key of templateKeys) {
        const theme = { primaryColor: color, accentColor: color, font: 'Inter' }
        const css = themeStyle(theme, templateOf(key))
        for (const scheme of css.split('@media')) {
          const values = new Map(
            [...scheme.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)].map(([, name, value]) => [
              name,
              value!,
            ]),
          )
          for (const [text, paper] of [
            ['ink', 'paper'],
            ['soft', 'paper'],
            ['soft', 'tint'],
            ['link', 'paper'],
            ['on-tint', 'tint'],
            ['on-brand', 'brand'],
            ['on-accent', 'accent'],
          ] as const)
            expect([
              key,
              text,
              paper,
              contrastOf(values.get(text)!, values.get(paper)!) >= 4.5,
            ]).toEqual([key, text, paper, true])
        }
      }
    },
  )

  test('stay as they are where they can be read', () => {
    expect(readable('#7a2e4d', ['#ffffff'])).toBe('#7a2e4d')
    expect([inkOn('#7a2e4d'), inkOn('#f2c6d0')]).toEqual(['#ffffff', '#111111'])
  })
})

test('each template has a stylesheet of its own', () => {
  const paths = templateKeys.map((key) => stylesheetOf(key).path)
  expect(new Set(paths).size).toBe(5)
})
