import { expect, test } from 'vitest'
import { startRounds } from '../../src/fairness/rounds.ts'

const hour = 3_600_000

test('Rounds look again when work ends during a look, which may have passed over what it held', async () => {
  let finish = () => undefined as void
  const work = new Promise<void>((resolve) => (finish = resolve))
  let looks = 0
  const rounds = startRounds({
    everyMilliseconds: hour,
    onFailure: (error) => expect.unreachable(String(error)),
    async look(handOver) {
      looks++
      if (looks === 1) {
        handOver(work)
        rounds.kick()
      }
      if (looks === 2) {
        finish()
        await work
        await new Promise(setImmediate)
      }
      return false
    },
  })
  await rounds.flush()
  expect(looks).toBe(3)
  await rounds.stop()
})
