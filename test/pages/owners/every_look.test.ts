import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopPathOf } from '../../../src/domain/people/digests.ts'
import {
  aChangeSet,
  aDomain,
  anAppliedSet,
  anUnansweredQuestion,
  aReply,
  aWebhook,
} from '../../every_operation/catalogue_resources.ts'
import { anUndoToken, givenMember } from '../../every_operation/fixtures.ts'
import { aCheckout, aContactRequest } from '../../every_operation/resources.ts'
import { registerAgent } from '../../kit/agent_flow.ts'
import type { StaffMember, TestService } from '../../kit/service.ts'
import { expectAccessible, type Page, phone, startPages, type TestBrowser } from '../browser.ts'
import { type FilledShop, givenFilledShop, pages } from './every_page.ts'

const wide = { width: 1440, height: 900 }

const looks = (['en', 'tr'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [phone, wide].map((size) => ({ language, scheme, size, width: size.width })),
  ),
)
type Look = (typeof looks)[number]

// Every page in every look, for whoever changes what all of them share:
// ALL_LOOKS=1 npm test -- every_look
describe.runIf(process.env.ALL_LOOKS === '1')('every page', () => {
  let service: TestService
  let browser: TestBrowser
  let shop: FilledShop
  let staff: StaffMember
  let details: string[]
  let memberId: string
  let sourceId: string
  beforeAll(async () => {
    ;({ service, browser } = await startPages())
    shop = await givenFilledShop(service)
    staff = await service.givenStaff()
    const place = { service, owner: shop.person, workspace: { id: shop.workspaceId } }
    await anUnansweredQuestion(place)
    await aReply(place)
    await aDomain(place)
    await aContactRequest(place)
    ;({ sourceId } = await service.givenAgent(shop.person))
    memberId = await givenMember(place, await service.givenPerson(), 'staff')
    details = [
      `changes/${(await aChangeSet(place)).id}`,
      `changes/${(await anAppliedSet(place)).id}`,
      `webhooks/${(await aWebhook(place)).id}`,
      'products?status=DELETED',
      'products?search=nothing-like-this',
      'nothing',
    ]
  })
  afterAll(() => browser.close())

  const open = async (
    { language, scheme, size }: Look,
    rest: Parameters<TestBrowser['open']>[0],
  ) => {
    const locale = language === 'tr' ? 'tr-TR' : 'en-GB'
    const page = await browser.open({ scheme, locale, expectedStatuses: [404], ...rest })
    await page.setViewportSize(size)
    return page
  }

  /** These pages speak the account's language, whatever the browser's. */
  const openSignedIn = async (seen: Look) => {
    const profile = { name: 'Elif', phone: null, language: seen.language }
    await service.dashboard(shop.person).put('/api/account').send(profile).expect(200)
    return open(seen, { cookie: shop.person.cookie })
  }

  const look = async (page: Page, path: string, { language, width }: Look) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    expect(await page.getAttribute('html', 'lang'), path).toBe(language)
    await expectAccessible(page, { menu: true })
    const drawn = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(drawn, path).toBeLessThanOrEqual(width)
  }

  test.for(looks)(
    'of the dashboard is accessible in $language, $scheme, at $width',
    { timeout: 1_200_000 },
    async (seen) => {
      const page = await openSignedIn(seen)
      for (const path of [...pages.map(([path]) => path), ...details])
        await look(page, shop.addressOf(path), seen)
    },
  )

  test.for(looks)(
    'before a session is accessible in $language, $scheme, at $width',
    { timeout: 600_000 },
    async (seen) => {
      const place = { service, owner: shop.person, workspace: { id: shop.workspaceId } }
      const agent = await registerAgent(service)
      const page = await open(seen, {})
      for (const path of [
        '/sign-in',
        '/contact',
        '/nothing',
        (await agent.begin()).url.href,
        `/checkout/${(await aCheckout(place)).id}`,
        `/undo-email/${(await anUndoToken(place)).token}`,
        '/undo-email/nothing',
        stopPathOf(service.config.secretKey, memberId),
        '/stop-mails/nothing',
      ])
        await look(page, path, seen)
      const known = await openSignedIn(seen)
      await look(known, (await agent.begin()).url.href, seen)
    },
  )

  test.for(looks)(
    'of the administration is accessible in $language, $scheme, at $width',
    { timeout: 600_000 },
    async (seen) => {
      const origin = service.config.adminUrl
      await look(await open(seen, { origin }), '/sign-in', seen)
      const page = await open(seen, { origin, cookie: staff.cookie })
      for (const path of [
        '/accounts',
        `/accounts/${shop.person.accountId}`,
        '/workspaces',
        `/workspaces/${shop.workspaceId}`,
        `/workspaces/${shop.workspaceId}/design`,
        '/sources',
        `/sources/${sourceId}`,
        '/contact-requests',
        '/audit',
        '/nothing',
      ])
        await look(page, path, seen)
    },
  )
})
