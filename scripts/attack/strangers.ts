import { type Attack, outcomeOf, statusOf } from './attack.ts'

/** What an account that has paid nothing may reach in a day. */
const reach = 50

export const mailedStrangers: Attack = {
  name: 'mailed strangers',
  tried: '500 strangers to be mailed a code by a shop that has paid nothing',
  async run(scene) {
    const { usual, attacker } = scene
    const path = `/v1/workspaces/${attacker.workspaceId}`
    const send = (method: string, to: string, body: object) =>
      statusOf({ origin: usual.api }, `${path}${to}`, {
        token: attacker.apiKey,
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('PUT', '/website', { accessPolicy: { challenge: 'OFF' } })
    const strangers = Array.from(
      { length: Math.max(2 * reach, scene.times(500)) },
      (_, number) => `stranger-${process.pid}-${number}@example.com`,
    )
    const statuses: number[] = []
    for (const email of strangers)
      statuses.push(await send('POST', '/experience/customer/otp/request', { name: 'A', email }))
    const outcome = outcomeOf(statuses)
    const mailed = outcome.sent - outcome.refused
    return mailed > reach || mailed === 0 ? { ...outcome, broken: `${mailed} mailed` } : outcome
  },
}
