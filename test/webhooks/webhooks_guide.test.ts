import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createWebhookPost } from '../../src/adapters/webhook_post.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { freePorts } from '../kit/free_ports.ts'
import { startService, type TestService } from '../kit/service.ts'

const root = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(root, '.github', 'guides', 'webhooks.md'), 'utf8')
const [, program = ''] = /```js\n([^]*?)```/.exec(guide) ?? []

let service: TestService
let shop: Shop
const receivers: ChildProcess[] = []
beforeAll(async () => {
  service = await startService({
    env: { WEBHOOK_LOOPBACK: 'true' },
    webhookPost: createWebhookPost({}, { loopback: true }),
  })
  shop = await givenShop(service)
})
afterAll(async () => {
  for (const receiver of receivers) {
    const ended = once(receiver, 'exit')
    receiver.kill()
    await ended
  }
  await service.close()
})

/** The program of the guide, verbatim, listening with this secret; its printed lines. */
async function startReceiver(port: number, secret: string) {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'receiver-'))
  writeFileSync(join(folder, 'receiver.mjs'), program)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret }
  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  receivers.push(receiver)
  while (!(await isListening(port)));
  return createInterface({ input: receiver.stdout })
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })

test('the receiver of the guide takes what we sign, and nothing else', async () => {
  const [port, otherPort] = (await freePorts()).map(Number) as [number, number, number]
  const create = async (at: number) => {
    const body = { url: `http://127.0.0.1:${at}/`, events: ['product.changed'] }
    const answer = await shop.api.post(shop.at('webhooks')).send(body).expect(200)
    return answer.body as { id: string; secret: string }
  }
  const [right, wrong] = [await create(port), await create(otherPort)]
  const lines = await startReceiver(port, right.secret)
  await startReceiver(otherPort, right.secret)
  const printed = once(lines, 'line')
  await givenProduct(shop)
  await service.app.webhooks.flush()
  expect(await printed).toEqual(['product.changed'])
  const statusOf = async ({ id }: { id: string }) => {
    const { body } = await shop.api.get(shop.at(`webhooks/${id}/deliveries`)).expect(200)
    return body.deliveries[0].responseStatus as number
  }
  expect([await statusOf(right), await statusOf(wrong)]).toEqual([204, 401])
})
