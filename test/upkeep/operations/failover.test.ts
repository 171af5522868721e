import { expect, test } from 'vitest'
import type { Replicated } from '../../../scripts/drill/parts/replicated.ts'
import { givenShop, productBody, type Shop } from '../../kit/catalogue.ts'
import { givenReplicated } from '../../kit/replicated.ts'
import { startService, type TestService } from '../../kit/service.ts'

/** Creates products until told to stop; keeps the ids of those that were acknowledged. */
function startCreating(shop: Shop) {
  const acknowledged: string[] = []
  const refusals = new Set<number>()
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      const { status, body } = await shop.api.post(shop.at('products')).send(productBody())
      if (status === 200) acknowledged.push(body.id as string)
      else refusals.add(status)
    }
  })()
  return {
    acknowledged,
    async stop() {
      stopped = true
      await running
      return { acknowledged, refusals: [...refusals] }
    },
  }
}

async function withService(
  work: (service: TestService, servers: Replicated) => Promise<void>,
): Promise<void> {
  const servers = await givenReplicated({ isSynchronous: true })
  try {
    const service = await startService({ databaseUrl: servers.url })
    try {
      await work(service, servers)
    } finally {
      await service.close()
    }
  } finally {
    await servers.stop()
  }
}

const fates = ['is killed', 'answers nothing any more'] as const

test.each(fates)('nothing acknowledged is lost if one of two hosts %s', (fate) =>
  withService((service, servers) => takeOver(service, servers, fate)),
)

async function takeOver(
  service: TestService,
  servers: Replicated,
  fate: (typeof fates)[number],
): Promise<void> {
  const shop = await givenShop(service)
  const creating = startCreating(shop)
  const { acknowledged } = creating
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  if (fate === 'is killed') await servers.primary.kill()
  else servers.primary.signal('SIGSTOP')
  const before = acknowledged.length
  await servers.promote()
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
  const { refusals } = await creating.stop()
  expect(refusals.filter((status) => status !== 503)).toEqual([])
  const stored = await service.db
    .selectFrom('products')
    .select('id')
    .where('workspace_id', '=', shop.workspaceId)
    .execute()
  const ids = new Set(stored.map(({ id }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
}
