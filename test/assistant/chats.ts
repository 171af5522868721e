import type { Test } from 'supertest'
import { sql } from 'kysely'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import type { components } from '../../src/generated/types.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import { getWallet } from '../../src/queries/credits/wallets.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import type { ModelServer } from '../kit/peers/model_server.ts'
import { type TestService, unique } from '../kit/service.ts'
import { givenGuest, type TestVisitor } from '../kit/visitors.ts'

type Schemas = components['schemas']

/** The three chats, by the last segment of their paths. */
export type ChatKind = 'product' | 'routine' | 'analyze-face'

/** A site whose visitors chat, with helpers. */
export interface ChatPlace extends Shop {
  workspace: { id: string }
  product: Product
  /** A visitor's call; by default a question about the place's product. */
  ask(visitor: Pick<TestVisitor, 'headers'>, body?: object, kind?: ChatKind): Test
  guest(): TestVisitor
  setPolicy(policy: Partial<Schemas['AccessPolicy']>): Promise<void>
  addCredits(credits: number): Promise<void>
  wallet(): Promise<{ balance: number; reserved: number }>
  /** The usage events of chats, oldest first: name, status, credits. */
  events(): Promise<string[]>
}

/** A shop with credits and one product, without bot challenges. */
export async function givenChats(service: TestService, credits = 100): Promise<ChatPlace> {
  const shop = await givenShop(service)
  const product = await givenProduct(shop, {
    name: unique('Rose balm'),
    description: 'Rich care for dry skin.',
    information: 'Apply to clean skin in the evening.',
  })
  const { workspaceId } = shop
  const at = (path: string) => shop.at(path)
  const workspace = { id: workspaceId }
  const place: ChatPlace = {
    ...shop,
    workspace,
    product,
    ask: (visitor, body = {}, kind = 'product') =>
      shop.api
        .post(at(`experience/chat/${kind}`))
        .set(visitor.headers)
        .send(kind === 'product' ? { message: drySkin, productId: product.id, ...body } : body),
    guest: () => givenGuest({ service, workspace }),
    async setPolicy(accessPolicy) {
      await shop.api.put(at('website')).send({ accessPolicy }).expect(200)
    },
    async addCredits(amount) {
      const move = { credits: amount, reason: 'A gift', reference: unique('gift') }
      await service.db
        .transaction()
        .execute((trx) => adjustCredits(trx, workspaceId, { ...move, now: service.now() }))
    },
    async wallet() {
      const { balance, reserved } = await getWallet(service.db, workspaceId, service.now())
      return { balance, reserved }
    },
    events: () => chatEvents(service, workspaceId),
  }
  await place.setPolicy({ challenge: 'OFF' })
  if (credits !== 0) await place.addCredits(credits)
  return place
}

export const drySkin = 'Is it fit for dry skin?'

export async function chatEvents(
  { db }: Pick<TestService, 'db'>,
  workspaceId: string,
): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select event_name || ' ' || status || ' ' || credit_delta as line from usage_events
    where workspace_id = ${workspaceId} and event_name like 'chat.%'
    order by created_at, id`.execute(db)
  return rows.map(({ line }) => line)
}

/** Inconsistencies the audit finds in the whole database. */
export async function brokenIn({ db }: Pick<TestService, 'db'>): Promise<string[]> {
  return (await brokenWallets(db)).map(({ problem }) => problem)
}

/** Settings that make the given server the service's model. */
export function modelSettings({ baseUrl }: Pick<ModelServer, 'baseUrl'>): Record<string, string> {
  return {
    AI_PROVIDER: 'openai-compatible',
    AI_BASE_URL: baseUrl,
    AI_FAST_MODEL: 'swift',
    AI_COMPREHENSIVE_MODEL: 'deep',
  }
}

/** Counts per outcome: successes by status, refusals by status and code. */
export function outcomesOf(
  answers: { status: number; body: { code?: string } }[],
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = status < 400 ? String(status) : `${status} ${body.code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
