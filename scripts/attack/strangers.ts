import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { type Attack, outcomeOf, statusOf } from './attack.ts'
import { newKey } from './new_key.ts'

/** What an account that has paid nothing may reach in a day. */
const reach = 50

export const mailedStrangers: Attack = {
  name: 'mailed strangers',
  tried: '500 strangers to be mailed a code by a shop that has paid nothing',
  async run(scene) {
    const { usual, db } = scene
    // Of an account of its own: processes that share their counts share what the attacker has used up.
    const shop = await db.transaction().execute(async (trx) => {
      const account = await ensureAccount(trx, `mailer-${process.pid}@example.com`, 'Mailer')
      const wanted = {
        name: 'Mailer',
        subDomain: 'shop-of-mailer',
        templateKey: 'minimal',
      } as const
      const { id } = await createWorkspace(trx, account.id, wanted, new Date())
      return { path: `/v1/workspaces/${id}`, key: await newKey(trx, account.id) }
    })
    const send = (method: string, to: string, body: object) =>
      statusOf({ origin: usual.api }, `${shop.path}${to}`, {
        token: shop.key,
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
