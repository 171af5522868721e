import { newKey } from './new_key.ts'
import { type Attack, outcomeOf, statusOf } from './attack.ts'

const keys = 40
const calls = 100
/** What all keys of an account may do in a minute, and so at most in the two that an attack meets. */
const allowedCalls = 2 * 1200

export const manyKeys: Attack = {
  name: 'many keys',
  tried: `${keys * calls} calls with ${keys} keys of one account`,
  async run(scene) {
    const { attacker, db, usual } = scene
    const path = `/v1/workspaces/${attacker.workspaceId}/products?pageSize=1`
    const statuses: number[] = []
    const client = async (token: string) => {
      for (let count = 0; count < scene.times(calls); count++)
        statuses.push(await statusOf({ origin: usual.api }, path, { token }))
    }
    const tokens = Array.from({ length: scene.times(keys) }, () => newKey(db, attacker.accountId))
    await Promise.all((await Promise.all(tokens)).map(client))
    const outcome = outcomeOf(statuses)
    const answered = outcome.sent - outcome.refused
    return answered > allowedCalls ? { ...outcome, broken: `${answered} answered` } : outcome
  },
}
