import { startPictureHost } from '../../test/kit/peers/picture_host.ts'
import { insertAgent } from '../bench/agents.ts'
import { startDemoService } from './demo_service.ts'
import { bulkTasks } from './bulk_tasks.ts'
import { answers, connectAgent } from './measure.ts'
import { tasks } from './tasks.ts'
import { viewsIn } from './views.ts'

/*
 * npm run agents:tasks: what common work costs a model. A real client does it in the demo shop of a
 * service of its own, on loopback; tokens are those of o200k. Ends with 1 if a limit is exceeded.
 */
const pictureHost = await startPictureHost()
const service = await startDemoService(pictureHost.fetchParts, { RATE_LIMIT_PER_MINUTE: '1000000' })
let exceeded = 0
try {
  const { db, demo, url, baseUrl } = service
  const { workspaceId } = demo
  const agent = await connectAgent({
    endpoint: `${url}/mcp`,
    token: await insertAgent(db, `${baseUrl}/mcp`),
    workspaceId,
    pictures: pictureHost.pictures,
    view: viewsIn(db, workspaceId, () => new Date()),
  })
  const rows = []
  for (const [tool, args, most] of answers) {
    const tokens = await agent.tokensOf(tool, args)
    if (tokens > most) exceeded++
    rows.push({ task: `${tool} ${JSON.stringify(args)}`, calls: 1, tokens, 'at most': most })
  }
  for (const task of [...tasks, ...bulkTasks]) {
    const { calls, tokens } = await agent.measure(task)
    if (calls > task.calls || tokens > task.tokens) exceeded++
    rows.push({ task: task.name, calls, tokens, 'at most': task.tokens })
  }
  console.table(rows)
  await agent.close()
} finally {
  await service.close()
  await pictureHost.close()
}
process.exit(exceeded > 0 ? 1 : 0)
