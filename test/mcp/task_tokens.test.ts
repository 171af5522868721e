import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, answers, connectAgent } from '../../scripts/agents/measure.ts'
import { maxTokens, tasks } from '../../scripts/agents/tasks.ts'
import { viewsIn } from '../../scripts/agents/views.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { readDemo, seedDemo } from '../../src/demo/demo.ts'
import { startService, type TestService } from '../kit/service.ts'

/** What npm run agents:tasks prints, with its limits. */
let service: TestService
let agent: Agent
beforeAll(async () => {
  service = await startService()
  const { db, config } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  const { workspaceId, accountEmail } = readDemo(config)!
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', accountEmail)
    .executeTakeFirstOrThrow()
  const { token } = await service.givenAgent({ accountId: id, email: accountEmail, cookie: '' })
  const names = ['rose', 'tulip', 'lily']
  agent = await connectAgent({
    endpoint: `${service.urls.api}/mcp`,
    token,
    workspaceId,
    pictures: names.map((name) => `https://images.example.com/${name}.png`),
    view: viewsIn(db, workspaceId, () => service.now()),
  })
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

describe('the tokens of an answer in the demo shop', () => {
  test.each(answers)('of %s with %j are at most %i', async (tool, args, most) => {
    expect(await agent.tokensOf(tool, args)).toBeLessThanOrEqual(most)
  })
})

describe('a model', () => {
  test.each(tasks)('needs few calls and tokens for $name', async (task) => {
    const { calls, tokens } = await agent.measure(task)
    expect(calls).toBe(task.calls)
    expect(tokens).toBeLessThanOrEqual(task.tokens)
    if (!task.readsTexts) expect(task.tokens).toBeLessThanOrEqual(maxTokens)
  })
})
