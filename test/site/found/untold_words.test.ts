import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Media } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { cookiesOf, givenOpenShop, type OpenShop, signIn } from '../window/shop_pages.ts'
import { type Canaries, givenCanaries, givenPublished, type Published } from './canaries.ts'
import { toldBy, wordsIn } from './told.ts'

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let service: TestService
let shop: OpenShop
let here: Published
let secret: Canaries
/** Of one who was a guest while the shop was open. */
let guest: { Cookie: string }
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'canaryfile.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  here = await givenPublished(shop, media[0]!)
  secret = await givenCanaries(service, shop)
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
  guest = { Cookie: cookiesOf(await shop.visit(bootstrap.replace('…', shop.workspaceId))) }
})
afterAll(() => service.close())

const told = (headers: object = {}) => toldBy(service, shop, { here, secret, headers })

interface Way {
  shut: () => Promise<unknown>
  status: number
  /** What is answered otherwise. */
  others: Record<string, number>
}

const bootstrap = '/v1/workspaces/…/experience/bootstrap'
const isNoPage = { '/mcp': 405 }
/** A shop must not hide from those who would report it. */
const isReported = { '/report': 200 }

/** How a shop is shut, and what it answers then. */
const ways: Record<string, Way> = {
  hidden: {
    shut: () => workspace({ isVisible: false }),
    status: 403,
    others: { ...isNoPage, ...isReported, [bootstrap]: 401 },
  },
  closed: {
    shut: () => shop.design({ accessPolicy: { visibility: 'CLOSED' } }),
    status: 403,
    others: { ...isNoPage, ...isReported, [bootstrap]: 401 },
  },
  'for customers': {
    shut: () => shop.design({ accessPolicy: { visibility: 'SIGN_IN' } }),
    status: 401,
    others: { ...isNoPage, ...isReported, '/sign-in': 200 },
  },
  suspended: { shut: () => suspend('SUSPENDED'), status: 403, others: isNoPage },
}

const workspace = (change: object) => shop.api.put(shop.at('workspace')).send(change).expect(200)

async function suspend(status: 'ACTIVE' | 'SUSPENDED') {
  const admin = service.admin(await service.givenStaff())
  await admin.put(`/api/admin/workspaces/${shop.workspaceId}/status`).send({ status }).expect(200)
}

async function reopen() {
  await suspend('ACTIVE')
  await workspace({ isVisible: true })
  await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
}

describe('an open shop', () => {
  test('tells strangers every word that is published and none that is not', async () => {
    const answers = await told()
    expect(Object.keys(wordsIn(answers, here.words)).sort()).toEqual([...here.words].sort())
    expect(wordsIn(answers, secret.words)).toEqual({})
    expect(wordsIn(await told(guest), secret.words)).toEqual({})
  })
})

describe.each(Object.entries(ways))('a shop that is %s', (_, { shut, status, others }) => {
  beforeAll(async () => {
    // So that its pages are kept in memory as they were.
    await told()
    await shut()
  })
  afterAll(reopen)

  test.each(['strangers', 'a guest of before'])('tells %s no word of either', async (who) => {
    const answers = await told(who === 'strangers' ? {} : guest)
    expect(wordsIn(answers, [...here.words, ...secret.words])).toEqual({})
    const otherwise = answers
      .filter(({ status: given }) => given !== status)
      .map(({ asked, status: given }) => [asked.replace(shop.workspaceId, '…'), given])
    expect(Object.fromEntries(otherwise)).toEqual(others)
  })
})

describe('a shop for customers', () => {
  beforeAll(() => ways['for customers']!.shut())
  afterAll(reopen)

  test('tells them what is published, and nothing else', async () => {
    const answers = await told(await signIn(service, shop, 'ece@example.com'))
    expect(Object.keys(wordsIn(answers, here.words)).sort()).toEqual([...here.words].sort())
    expect(wordsIn(answers, secret.words)).toEqual({})
  })
})

describe('a picture', () => {
  test.each(Object.entries(ways))(
    'is served to all who know its address, and names no file, where the shop is %s',
    async (way, { shut }) => {
      await shut()
      // It is known for a minute that a workspace was not suspended.
      service.advance(60_000)
      const { status, headers } = await service.api().get(`/media/${here.picture.key}`)
      await reopen()
      // What staff take away is taken away; an owner's own door is not one for files that others link to.
      expect(status).toBe(way === 'suspended' ? 403 : 200)
      expect(JSON.stringify(headers)).not.toContain('canaryfile')
    },
  )
})
