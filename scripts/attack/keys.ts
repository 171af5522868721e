import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { type Attack, outcomeOf, statusOf } from './attack.ts'
import { newKey } from './new_key.ts'

const keys = 40
const calls = 100
/** What all keys of an account may do in a minute, and so at most in the two that an attack meets. */
const allowedCalls = 2 * 1200

export const manyKeys: Attack = {
  name: 'many keys',
  tried: `${keys * calls} calls with ${keys} keys of one account`,
  async run(scene) {
    const { db, usual } = scene
    // An account of its own: processes that share their counts remember the other attacks.
    const tokens = await db.transaction().execute(async (trx) => {
      const account = await ensureAccount(trx, `keys-${process.pid}@example.com`, 'Keys')
      return Promise.all(Array.from({ length: scene.times(keys) }, () => newKey(trx, account.id)))
    })
    const statuses: number[] = []
    const client = async (token: string) => {
      for (let count = 0; count < scene.times(calls); count++)
        statuses.push(await statusOf({ origin: usual.api }, '/v1/workspaces', { token }))
    }
    await Promise.all(tokens.map(client))
    const outcome = outcomeOf(statuses)
    const answered = outcome.sent - outcome.refused
    return answered > allowedCalls ? { ...outcome, broken: `${answered} answered` } : outcome
  },
}
