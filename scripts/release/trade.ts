import { newId } from '../../src/core/ids.ts'
import { releaseReservation, reserveCredits } from '../../src/domain/credits/wallet.ts'
import { utcDay } from '../../src/domain/site/visits.ts'
import {
  insertUsageEvent,
  type EventName,
  type UsageEvent,
} from '../../src/queries/credits/usage_events.ts'
import type { ReleaseService } from './service.ts'
import {
  addImage,
  addProduct,
  customerOf,
  drawImage,
  guestOf,
  next,
  type Owner,
  type Shop,
} from './shops.ts'

/** What a shop sells, by id. */
export interface Stock {
  products: string[]
  tags: string[]
  collection: string
}

/** Products in every state, with images and tags; a collection; a website with a logo. */
export async function fillCatalogue(service: ReleaseService, shop: Shop): Promise<Stock> {
  const images: string[] = []
  for (let count = 0; count < 5; count++) images.push(await addImage(shop))
  const tags: string[] = []
  for (const name of ['Rose', 'Dry skin', 'Unused'])
    tags.push((await shop.call<{ id: string }>({ path: 'tags', body: { name } })).id)
  const products = [
    await addProduct(shop, { imageIds: images.slice(0, 3), tagIds: tags.slice(0, 2) }),
    await addProduct(shop, { imageIds: images.slice(0, 1), stock: 0 }),
    await addProduct(shop, { status: 'INACTIVE', tagIds: tags.slice(0, 1) }),
    await addProduct(shop, { sales: [] }),
  ]
  const deleted = await addProduct(shop, { imageIds: images.slice(1, 2), tagIds: [tags[0]!] })
  await shop.call({ method: 'DELETE', path: `products/${deleted}` })
  const questions = { questions: [{ text: 'Is it fit for dry skin?' }] }
  await shop.call({ method: 'PUT', path: `products/${products[0]}/questions`, body: questions })
  await shop.call({ method: 'PUT', path: 'questions', body: questions })
  const { id: collection } = await shop.call<{ id: string }>({
    path: 'collections',
    body: { name: 'Evening', imageId: images[3], tagIds: tags.slice(0, 2) },
  })
  for (const id of products) await shop.call({ path: `collections/${collection}/products/${id}` })
  await shop.call({ path: 'collections', body: { name: 'Empty' } })
  const accessPolicy = { challenge: 'OFF', guestDailyRequests: 20 }
  const website = { headline: 'Roses', logoImageId: images[4], accessPolicy }
  await shop.call({ method: 'PUT', path: 'website', body: website })
  await upload(service, shop)
  return { products, tags, collection }
}

/** Two upload URLs: one used, one not. */
async function upload(service: ReleaseService, shop: Shop): Promise<void> {
  const bytes = await drawImage()
  const body = { fileName: `Upload ${next()}.png`, mimeType: 'image/png', size: bytes.length }
  const target = () => shop.call<{ url: string }>({ path: 'media/uploads', body })
  await target()
  const { pathname } = new URL((await target()).url)
  const headers = { 'Content-Type': 'image/png' }
  await service.call({ method: 'PUT', path: pathname, headers, body: bytes })
}

/** A day on which everything happens once, at the time of the service's clock. */
export async function trade(
  service: ReleaseService,
  shop: Shop,
  stock: Stock,
  owner: Owner,
): Promise<void> {
  await addProduct(shop, { tagIds: stock.tags.slice(1, 2), stock: 0 })
  await buyCredits(service, shop, owner)
  const customer = await customerOf(service, shop, `customer-${next()}@example.com`)
  for (const visitor of [customer, guestOf(service, shop)]) await visit(shop, stock, visitor)
  await endReservations(service, shop)
  await recordEvents(service, shop)
}

/** One checkout stays open, one is paid, one is paid and refunded in part. */
async function buyCredits(service: ReleaseService, shop: Shop, owner: Owner): Promise<void> {
  const dashboard = { origin: 'dashboard', headers: owner.headers } as const
  const path = `/api/workspaces/${shop.workspaceId}/checkout`
  const open = () => service.call<{ id: string }>({ ...dashboard, path, body: { pack: 500 } })
  await open()
  for (const refunded of [false, true]) {
    const at = `/api/development/checkout/${(await open()).id}`
    await service.call({ ...dashboard, path: `${at}/pay` })
    if (refunded) await service.call({ ...dashboard, path: `${at}/refund`, body: { credits: 200 } })
  }
}

/** Looks around, asks twice in one thread and once in another, and leaves feedback. */
async function visit(
  shop: Shop,
  { products, collection }: Stock,
  headers: Record<string, string>,
): Promise<void> {
  const send = <Answer>(path: string, body: object) =>
    shop.call<Answer>({ path: `experience/${path}`, headers, body })
  await shop.call({ method: 'GET', path: 'experience/bootstrap', headers })
  await send('events', { name: 'PAGE_VIEW', path: '/roses', properties: { campaign: 'spring' } })
  await send('events', { name: 'PRODUCT_VIEW', productId: products[0] })
  await send('events', { name: 'COLLECTION_VIEW', collectionId: collection })
  await send('events', { name: 'CLICK' })
  await send('events', { name: 'CUSTOM' })
  const question = { message: 'Is it fit for dry skin?', productId: products[0] }
  const { threadId } = await send<{ threadId: string }>('chat/product', question)
  await send('chat/product', { ...question, message: 'And at night?', threadId })
  const request = { message: 'What do I do in the evening?', userProfile: { skinType: 'dry' } }
  await send('chat/routine', { ...request, allowAiSuggestions: true, thinkingLevel: 'MEDIUM' })
  await shop.call({
    path: 'experience/feedback',
    headers: { ...headers, 'Idempotency-Key': `feedback-${next()}` },
    body: { message: 'Güzel bir dükkân.' },
  })
}

/** Calls that failed, were held until they expired, and are under way. */
async function endReservations(service: ReleaseService, { workspaceId }: Shop): Promise<void> {
  const now = service.now()
  const hold = (seconds: number) =>
    service.write((trx) =>
      reserveCredits(trx, workspaceId, {
        credits: 2,
        reference: newId('call'),
        now,
        seconds,
        usage: { actorType: 'GUEST', userId: null, eventName: 'chat.product' },
        visitor: { id: `guest-${next()}`, day: utcDay(now) },
      }),
    )
  const failed = await hold(300)
  await service.write((trx) => releaseReservation(trx, workspaceId, failed.id, { now }))
  await hold(1)
  await hold(300)
}

const eventNames: EventName[] = ['chat.product', 'chat.routine', 'chat.analyze_face', 'visit']
const actors: UsageEvent['actorType'][] = ['OWNER', 'STAFF', 'GUEST', 'API_KEY', 'AGENT', 'SYSTEM']

/** Events of kinds and actors that no call above makes. */
async function recordEvents(service: ReleaseService, { workspaceId }: Shop): Promise<void> {
  await service.write(async (trx) => {
    for (const [index, actorType] of actors.entries())
      for (const eventName of eventNames)
        await insertUsageEvent(
          trx,
          workspaceId,
          {
            actorType,
            userId: null,
            eventName,
            endpoint: 'analyze_face',
            modelKey: 'a-model',
            comprehensive: index % 2 === 0,
            status: index % 3 === 0 ? 'FAILED' : 'SUCCESS',
            details: { inputTokens: index, outputTokens: 20 },
          },
          service.now(),
        )
  })
}
