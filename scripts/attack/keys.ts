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
    const account = await db
      .transaction()
      .execute((trx) => ensureAccount(trx, `keys-${process.pid}@example.com`, 'Keys'))
    const statuses: number[] = []
    const client = async (token: string) => {
      for (let count = 0; count < scene.times(calls); count++)
        statuses.push(await statusOf({ origin: usual.api }, '/v1/workspaces', { token }))
    }
    const tokens = Array.from({ length: scene.times(keys) }, () => newKey(db, account.id))
    await Promise.all((await Promise.all(tokens)).map(client))
    const outcome = outcomeOf(statuses)
    const answered = outcome.sent - outcome.refused
    return answered > allowedCalls ? { ...outcome, broken: `${answered} answered` } : outcome
  },
}
