import request from 'supertest'
import { expect } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import type { components } from '../../src/generated/types.ts'
import { getWallet } from '../../src/queries/credits/wallets.ts'
import { type FileCalls, fileCalls } from '../change_sets/file_calls.ts'
import { message } from '../kit/agents.ts'
import { givenProduct, type Product } from '../kit/catalogue.ts'
import { type TestService, unique } from '../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../site/window/shop_pages.ts'

type Kept = components['schemas']['KeptAnswers']

/** What visitors, agents and the owner are told. */
interface Told {
  /** Whether the page shows the answer. */
  page: boolean
  agent: string | null
  state: string
  price: number
}

interface Place {
  shop: OpenShop
  product: Product
  calls: FileCalls
  make: (price?: number) => Promise<Kept>
  told: () => Promise<Told>
  balance: () => Promise<number>
}

/** A shop with 10 credits whose one product has this question. */
export async function givenPlace(service: TestService, question: string): Promise<Place> {
  const shop = await givenOpenShop(service)
  const { workspaceId, api } = shop
  const gift = { credits: 10, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await service.db.transaction().execute((trx) => adjustCredits(trx, workspaceId, gift))
  const product = await givenProduct(shop, {
    name: 'Rose balm',
    description: 'Rich care for dry skin.',
    information: 'Apply in the evening.',
  })
  await api
    .put(shop.at(`products/${product.id}/questions`))
    .send({ questions: [{ text: question }] })
    .expect(200)
  const owner = service.dashboard(shop.person)
  const path = `/api/workspaces/${workspaceId}/products/${product.id}/kept-answers`
  const ofAgent = async () => {
    const asked = message('tools/call', {
      name: 'get_questions',
      arguments: { slug: product.slug },
    })
    const { body } = await request(service.urls.site)
      .post('/mcp')
      .set({
        Host: new URL(shop.url).host,
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      })
      .send(asked)
      .expect(200)
    const { text } = (body as { result: { content: { text: string }[] } }).result.content[0]!
    const { questions } = JSON.parse(text) as { questions: { answer: string | null }[] }
    expect(questions).toHaveLength(1)
    return questions[0]!.answer
  }
  return {
    shop,
    product,
    calls: fileCalls(service, shop.key, workspaceId),
    make: async (price = 1) =>
      (await owner.post(path).send({ credits: price }).expect(200)).body as Kept,
    told: async () => {
      const page = await shop.visit(`/p/${product.slug}`)
      expect(page.status).toBe(200)
      const { answers, credits } = (await owner.get(path).expect(200)).body as Kept
      const { state } = answers[0]!
      return {
        page: page.text.includes('<details>'),
        agent: await ofAgent(),
        state,
        price: credits,
      }
    },
    balance: async () => (await getWallet(service.db, workspaceId, service.now())).balance,
  }
}

/** An agent reads an answer in one line. */
export const shown = (answer: string): Told => ({
  page: true,
  agent: answer.replaceAll('\n', ' '),
  state: 'CURRENT',
  price: 0,
})
export const hidden: Told = { page: false, agent: null, state: 'OLD', price: 1 }
