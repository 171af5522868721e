import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepDigests } from '../../src/domain/people/digests.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'

const day = 24 * 3600_000

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
})
afterAll(() => service.close())

const path = () => `/api/workspaces/${shop.workspaceId}/digest`
const choose = (every: string) => service.dashboard(shop.person).put(path()).send({ every })
const mailsAfter = async (days: number) => {
  const now = new Date(service.now().getTime() + days * day)
  await sweepDigests(service.db, service.config, now)
  return service.mailsTo(shop.person.email)
}

describe('update_digest', () => {
  test('mails what waits as often as it is wanted, and nothing while nothing waits', async () => {
    const get = service.dashboard(shop.person).get(path())
    expect((await get.expect(200)).body).toEqual({ every: 'NEVER' })
    await choose('DAY').expect(200)
    expect(await mailsAfter(0.9)).toEqual([])
    expect(await mailsAfter(1)).toEqual([])

    const { id: productId } = await givenProduct(shop, { name: 'Balm', stock: 0 })
    await givenProduct(shop, { name: 'Draft', stock: 0, status: 'INACTIVE' })
    const { workspaceId } = shop
    for (const message of ['Does it contain nuts?', 'Is it vegan?'])
      await write(service, (trx) =>
        recordUnanswered(trx, { workspaceId, productId, message }, service.now()),
      )
    expect(await mailsAfter(1.5)).toEqual([])
    const [mail] = await mailsAfter(2)
    const { dashboardUrl } = service.config
    expect(mail).toMatchObject({ subject: 'What waits in A workspace' })
    expect(mail!.text).toContain(
      [
        'This waits for you in A workspace:',
        '- 2 questions that the assistant could not answer\n- One product that visitors read as sold out',
        `See it: ${dashboardUrl}/w/${workspaceId}/home`,
        `Stop these mails: ${dashboardUrl}/stop-mails/`,
      ].join('\n\n'),
    )
    expect(await mailsAfter(2)).toHaveLength(1)
  })

  test('is stopped by the link of its mail, with one request and no session', async () => {
    const [mail] = await service.mailsTo(shop.person.email)
    const { pathname } = new URL(/http\S+stop-mails\S+/.exec(mail!.text)![0])
    const url = `${service.urls.dashboard}${pathname}`
    // Mail programs open links to check them.
    expect(await (await fetch(url)).text()).toContain('Stop these mails?')
    expect((await service.dashboard(shop.person).get(path())).body).toEqual({ every: 'DAY' })
    const stop = await fetch(url, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    expect(stop.status).toBe(200)
    expect((await service.dashboard(shop.person).get(path())).body).toEqual({ every: 'NEVER' })
    expect(await mailsAfter(30)).toHaveLength(1)
    expect((await fetch(`${url.slice(0, -4)}aaaa`)).status).toBe(404)
  })

  test('refuses what is no rhythm', async () => {
    expect((await choose('HOUR')).body).toMatchObject({ code: 'invalid_input' })
  })
})
