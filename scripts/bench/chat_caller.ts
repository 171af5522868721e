import { call, endConnections } from './load.ts'

/** What the bench tells its caller when it starts it. */
export interface CallerTask {
  origin: string
  apiKey: string
  path: string
  headers: Record<string, string>
  body: string
}

/*
 * Makes chats for the bench, in a process of its own, so that the cost of asking is not counted with
 * that of answering. It is sent a number of calls and says when they are answered.
 */
const { origin, apiKey, path, headers, body } = JSON.parse(
  process.env.CALLER_TASK ?? '',
) as CallerTask

process.on('message', (calls: number) => {
  void (async () => {
    for (let n = 0; n < calls; n++)
      await call(origin, apiKey, { method: 'POST', path, headers, body })
    process.send?.(calls)
  })()
})
process.on('disconnect', endConnections)
process.send?.(0)
