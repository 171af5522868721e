import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../src/generated/limits.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { filling, foreignIn, givenHostileShop, payloads, runs, wordsOf } from './hostile_shop.ts'
import { crawl, givenOpenShop } from './shop_pages.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** What each page has that is not of our own drawing. */
function foreignInAll(pages: Map<string, { type: string; text: string }>): [string, string[]][] {
  const drawn = [...pages].filter(([, { type }]) => type === 'text/html')
  return drawn.map(([path, { text }]): [string, string[]] => [path, foreignIn(text)])
}

describe('what owners write', () => {
  test('is text in every page, each of 200 payloads in each field of which a shop has many', async () => {
    const shop = await givenHostileShop(service)
    expect(new Set(payloads).size).toBe(200)
    const pages = await crawl(shop)
    const found = foreignInAll(pages)
    expect(found.filter(([, foreign]) => foreign.length > 0)).toEqual([])
    expect(found.length).toBeGreaterThan(100)
    const { text } = pages.get(`/p/${shop.products[0]!.slug}`)!
    const words = wordsOf(text)
    expect(payloads.filter((each) => !words.includes(each))).toEqual([])
  })

  test('is text in every field of which a website has one', async () => {
    const shop = await givenOpenShop(service)
    const { headline, tagline, seo } = limits.WebsiteUpdate
    const fields = [headline, tagline, seo.title, seo.description].map(({ maxLength }) =>
      filling(maxLength),
    )
    const about = payloads.join('\n\n')
    const socialLinks = ['https://social.example/"><script>ran=1</script>']
    await shop.design({ about, socialLinks, contactEmail: "a'b`c@example.com" })
    const found: string[] = foreignIn((await shop.visit('/about')).text)
    const rounds = Math.max(...fields.map(({ length }) => length))
    for (let round = 0; round < rounds; round++) {
      const [first, second, title, description] = fields.map((texts) => texts[round] ?? '')
      await shop.design({ headline: first, tagline: second, seo: { title, description } })
      found.push(...foreignIn((await shop.visit('/')).text))
    }
    expect(found).toEqual([])
  })

  test.each([
    ['__proto__', 'constructor'],
    ['constructor', 'toString'],
  ])(
    'is text where every object of JavaScript has a member of the name: %s, %s',
    async (host, font) => {
      const shop = await givenOpenShop(service)
      const theme = { primaryColor: '#7a2e4d', accentColor: '#f2c6d0', font }
      await shop.design({ socialLinks: [`https://${host}/`, 'https://www.x.com/a'], theme })
      const { status, text } = await shop.visit('/')
      expect(status).toBe(200)
      expect(text).toContain(`>${host}</a>`)
      expect(text).toContain('>X</a>')
      expect(text).toContain('--head:system-ui,sans-serif;--body:system-ui,sans-serif;')
    },
  )

  test('is text as the name of a shop', async () => {
    const shop = await givenOpenShop(service)
    const found: string[] = []
    for (const name of filling(limits.WorkspaceUpdate.name.maxLength)) {
      await shop.api.put(shop.at('workspace')).send({ name }).expect(200)
      found.push(...foreignIn((await shop.visit('/')).text))
    }
    expect(found).toEqual([])
  })

  test('is text where a shop shows its name alone', async () => {
    const shop = await givenOpenShop(service)
    await shop.design({ accessPolicy: { visibility: 'CLOSED' } })
    for (const name of runs.map((run) => run.slice(0, 80))) {
      await shop.api.put(shop.at('workspace')).send({ name }).expect(200)
      const { status, text } = await shop.visit('/')
      expect([status, wordsOf(text).includes(name), foreignIn(text)]).toEqual([403, true, []])
    }
  })
})

describe('what visitors search for', () => {
  test('is text in the page that answers', async () => {
    const shop = await givenOpenShop(service)
    for (const words of payloads) {
      const { text } = await shop.visit(`/search?q=${encodeURIComponent(words)}`)
      expect([words, foreignIn(text)]).toEqual([words, []])
    }
  })
})
