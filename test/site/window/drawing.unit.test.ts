import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { defaultDesign } from '../../../src/domain/site/designs.ts'
import { textWithin } from '../../../src/site/agents/tokens.ts'
import { addressOf } from '../../../src/site/address.ts'
import { isGtin } from '../../../src/site/documents/facts.ts'
import { jsx } from '../../../src/site/jsx_runtime.ts'
import { createKeptPages, type DrawnPage, type KeptPages } from '../../../src/site/kept_pages.ts'
import { contrastOf, inkOn, readable } from '../../../src/site/look/colors.ts'
import { templateKeys, templateOf } from '../../../src/site/look/templates.ts'
import { themeStyle } from '../../../src/site/look/theme.ts'
import { stylesheetOf } from '../../../src/site/look/stylesheets.ts'
import { packRoughly } from '../../../src/site/packing.ts'
import { Details } from '../../../src/site/parts/prose.tsx'
import { render } from '../../../src/site/render.ts'

describe('a drawing', () => {
  test('has text as text, in elements and in attributes', () => {
    const hostile = `"'><script>alert(1)</script>&`
    const escaped = `&quot;'&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;`
    const paragraph = jsx('p', { title: hostile, children: hostile })
    expect(render(paragraph)).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  test('has no way to insert markup', () => {
    // oxlint-disable-next-line vitrine/no-raw-markup
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

describe('the details of a product', () => {
  const drawn = (text: string) => render(Details({ text }))

  test('keep the order of their lines: a heading stays above its table, a warning below it', () => {
    const text = [
      'Material: wool',
      'Care: by hand',
      '',
      'Sizes',
      'S: 36',
      'M: 38',
      'Warning! Keep away from fire.',
      'Origin: Portugal',
    ]
    expect(drawn(text.join('\n'))).toBe(
      '<dl><div><dt>Material</dt><dd>wool</dd></div><div><dt>Care</dt><dd>by hand</dd></div></dl>' +
        '<p>Sizes</p>' +
        '<dl><div><dt>S</dt><dd>36</dd></div><div><dt>M</dt><dd>38</dd></div></dl>' +
        '<p>Warning! Keep away from fire.</p>' +
        '<dl><div><dt>Origin</dt><dd>Portugal</dd></div></dl>',
    )
  })

  test('are one list where an empty line alone divides it', () => {
    expect(drawn('Malzeme: yün\n\n\nBakım: elde')).toBe(
      '<dl><div><dt>Malzeme</dt><dd>yün</dd></div><div><dt>Bakım</dt><dd>elde</dd></div></dl>',
    )
  })

  test('are prose where at most one line has a label', () => {
    expect(drawn('Not: elde yıkayın\nIlık suyla.')).toBe('<p>Not: elde yıkayın<br>Ilık suyla.</p>')
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

describe('a text for a model', () => {
  const text = 'a warm coat for long winters'

  test.each([0, -1, 0.5])('is empty where there is room for %s tokens', (tokens) => {
    expect(textWithin(text, 100, tokens)).toBe('')
  })

  test('is cut after the last word for which there is room', () => {
    expect(textWithin(text, 100, 7)).toBe('a warm…')
    expect(textWithin(text, 9, 100)).toBe('a warm…')
    expect(textWithin(text, 100, 100)).toBe(text)
  })
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
  const pageOf = (plain: Buffer): DrawnPage => ({
    status: 200,
    type: '',
    etag: '',
    plain,
    brotli: undefined,
    isRough: false,
    policy: undefined,
    isListed: true,
  })

  const site = { workspaceId: 'ws_1', version: '1.0' }

  /** Asks for a page of so many bytes; true if it had to be drawn. */
  async function asks(kept: KeptPages, of: typeof site, name: string, size = 1000) {
    let isDrawn = false
    await kept.read(of, name, () => {
      isDrawn = true
      return Promise.resolve(pageOf(Buffer.alloc(size)))
    })
    return isDrawn
  }

  test('never take more than their memory, and drop what was unused for longest', async () => {
    const kept = createKeptPages(100_000)
    for (let index = 0; index < 50; index++) {
      await asks(kept, site, `page ${index}`, 9000)
      await asks(kept, site, 'page 0', 9000)
      expect(kept.bytes()).toBeLessThanOrEqual(100_000)
    }
    expect(await asks(kept, site, 'page 0', 9000)).toBe(false)
    expect(await asks(kept, site, 'page 49', 9000)).toBe(false)
    expect(await asks(kept, site, 'page 1', 9000)).toBe(true)
  })

  test('are not displaced by a huge one', async () => {
    const kept = createKeptPages(100_000)
    await asks(kept, site, 'small')
    await asks(kept, site, 'huge', 90_000)
    expect(await asks(kept, site, 'small')).toBe(false)
    expect(await asks(kept, site, 'huge', 90_000)).toBe(true)
  })

  test('are drawn anew in another version, and take the place of those before', async () => {
    const kept = createKeptPages(100_000)
    const [later, other] = [
      { ...site, version: '2.0' },
      { ...site, workspaceId: 'ws_2' },
    ]
    for (const of of [site, other]) for (const name of ['home', 'list']) await asks(kept, of, name)
    const bytes = kept.bytes()
    let finish: (page: DrawnPage) => void = () => {}
    const drawing = new Promise<DrawnPage>((resolve) => (finish = resolve))
    const beforeChange = kept.read(site, 'about', () => drawing)
    expect(await asks(kept, later, 'home')).toBe(true)
    expect(kept.bytes()).toBe(bytes)
    // One that was drawn before the change is not shown after it.
    finish(pageOf(Buffer.alloc(1000)))
    await beforeChange
    expect(await asks(kept, later, 'about')).toBe(true)
    expect(await asks(kept, later, 'home')).toBe(false)
    expect(await asks(kept, other, 'list')).toBe(false)
    // One that is there no more leaves nothing behind.
    const gone = { ...pageOf(Buffer.alloc(1000)), status: 404 }
    await kept.read({ ...site, version: '3.0' }, 'home', () => Promise.resolve(gone))
    expect(await asks(kept, later, 'home')).toBe(true)
  })

  test('are drawn once for all who ask meanwhile, and a page that is not there is not kept', async () => {
    const kept = createKeptPages(100_000)
    let drawn = 0
    const draw = () => {
      drawn++
      return Promise.resolve({ ...pageOf(Buffer.alloc(1000)), status: 404 })
    }
    await Promise.all([kept.read(site, 'none', draw), kept.read(site, 'none', draw)])
    expect([drawn, kept.bytes()]).toEqual([1, 0])
  })

  test('are packed well once they are asked for again, and not anew while they stay the same', async () => {
    const kept = createKeptPages()
    let text = Array.from({ length: 400 }, (_, n) => `<a href="/p/${n}">Product ${n}</a>`).join('')
    const asked = (version: string) =>
      kept.read({ ...site, version }, 'a', async (earlier) => ({
        ...pageOf(Buffer.alloc(0)),
        ...(await packRoughly(text, earlier)),
      }))
    const [first, second] = [await asked('1.0'), await asked('1.0')]
    expect(second.brotli!.length).toBeLessThan(first.brotli!.length)
    for (const { brotli } of [first, second])
      expect(brotliDecompressSync(brotli!).toString()).toBe(text)
    expect((await asked('1.0')).brotli).toBe(second.brotli)
    expect((await asked('2.0')).brotli).toBe(second.brotli)
    text += 'One more'
    const changed = await asked('3.0')
    expect(brotliDecompressSync(changed.brotli!).toString()).toBe(text)
    expect(changed.etag).not.toBe(second.etag)
  })
})

/** Texts, and what they stand on. */
const readTogether = [
  ['ink', 'paper'],
  ['ink', 'tint'],
  ['ink', 'raised'],
  ['soft', 'paper'],
  ['soft', 'tint'],
  ['soft', 'raised'],
  ['link', 'paper'],
  ['on-tint', 'tint'],
  ['on-brand', 'brand'],
  ['on-accent', 'accent'],
  ['on-band', 'band'],
  ['on-foot', 'foot'],
] as const

/** Of a theme, in the light and in the dark, what cannot be read. */
function unreadable(css: string): string[] {
  return css.split('@media').flatMap((scheme) => {
    const colors = scheme.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)
    const values = new Map([...colors].map(([, name, value]) => [name, value!]))
    // Not every template has a band.
    const pairs = readTogether.filter(([, area]) => values.has(area))
    return pairs
      .filter(([text, area]) => contrastOf(values.get(text)!, values.get(area)!) < 4.5)
      .map(([text, area]) => `${text} ${values.get(text)} on ${area} ${values.get(area)}`)
  })
}

const extremes = ['#ffffff', '#000000', '#ffff00', '#f2c6d0', '#7a2e4d', '#808080', '#797979']

describe("an owner's colours", () => {
  test.each(extremes)('%s can be read in every template, light and dark', (color) => {
    for (const key of templateKeys) {
      const theme = { primaryColor: color, accentColor: color, font: 'Inter' }
      expect([key, unreadable(themeStyle(theme, templateOf(key)))]).toEqual([key, []])
    }
  })

  test.each([...extremes, '#0000ff', '#00ffff', '#e53935', '#bbbbbb'])(
    'can be read on the paper %s, whatever they are',
    (paper) => {
      for (const isHeadColored of [true, false]) {
        const template = templateOf('customized', {
          ...defaultDesign,
          isHeadColored,
          paper,
          night: paper,
        })
        for (const primaryColor of extremes)
          for (const accentColor of extremes) {
            const css = themeStyle({ primaryColor, accentColor, font: 'Inter' }, template)
            expect([primaryColor, accentColor, unreadable(css)]).toEqual([
              primaryColor,
              accentColor,
              [],
            ])
          }
      }
    },
  )

  test.each([
    ['minimal', ['#0000', '#f4f4f2']],
    ['customized', ['#f4f4f2', '#f4f4f2']],
  ])('of %s give a dark logo a light plate: in the light and the dark %j', (key, plates) => {
    const theme = { primaryColor: '#7a2e4d', accentColor: '#f2c6d0', font: 'Inter' }
    const found = themeStyle(theme, templateOf(key)).matchAll(/--plate:([^;}]+)/g)
    expect([...found].map(([, plate]) => plate)).toEqual(plates)
  })

  test('stay as they are where they can be read', () => {
    expect(readable('#7a2e4d', ['#ffffff'])).toBe('#7a2e4d')
    expect([inkOn('#7a2e4d'), inkOn('#f2c6d0')]).toEqual(['#ffffff', '#111111'])
  })
})

test('each template has a stylesheet of its own', () => {
  const paths = templateKeys.map((key) => stylesheetOf(key).path)
  expect(new Set(paths).size).toBe(5)
})

test('no line is as long as a font makes it, which would break it elsewhere when another takes its place', () => {
  for (const key of templateKeys)
    expect([key, /\dch\b/.exec(stylesheetOf(key).text)]).toEqual([key, null])
})

test('pages change into one another where motion is welcome', () => {
  for (const key of templateKeys)
    expect(stylesheetOf(key).text).toContain(
      '@media(prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}',
    )
})

test('the rules for the top of a page are some of its stylesheet, for what a phone shows', () => {
  for (const key of templateKeys) {
    const { text, first } = stylesheetOf(key)
    expect([key, first.home.includes('.grid{'), first.product.includes('.grid{')]).toEqual([
      key,
      true,
      false,
    ])
    expect(`${first.home}${first.product}`).not.toMatch(/:hover|:focus|@media\(min|@font-face/)
    for (const [rule] of first.product.matchAll(/\.gallery[^{}]*\{[^}]*\}/g))
      expect(text).toContain(rule)
  }
})
