import { call, endConnections } from './load.ts'

/** Task that the bench passes to its caller process. */
export interface CallerTask {
  origin: string
  apiKey: string
  path: string
  headers: Record<string, string>
  body: string
}

/*
 * Makes chat calls for the bench in a separate process, so that the client's cost is not counted.
 * Receives a number of calls to make, and reports when they are answered.
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
