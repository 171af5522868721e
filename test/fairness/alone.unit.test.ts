import { expect, test } from 'vitest'
import { eachAlone } from '../../src/fairness/alone.ts'

const failure = async (work: Promise<unknown>) => {
  const [outcome] = await Promise.allSettled([work])
  return outcome.status === 'rejected' ? (outcome.reason as AggregateError) : undefined
}

test('does the work for the others after it has failed for one, and says so at the end', async () => {
  const done: number[] = []
  const work = async (item: number) => {
    if (item === 2) throw new Error('Two is refused.')
    done.push(await Promise.resolve(item))
  }
  const error = await failure(eachAlone([1, 2, 3], work, 'Some are left.'))
  expect(done).toEqual([1, 3])
  expect(error?.message).toBe('Some are left.')
  expect(error?.errors).toEqual([new Error('Two is refused.')])
})

test('takes one item after the other, and says nothing where all is well', async () => {
  const log: string[] = []
  async function* items() {
    for (const item of ['a', 'b']) {
      log.push(`found ${item}`)
      yield await Promise.resolve(item)
    }
  }
  const work = async (item: string) => {
    await Promise.resolve()
    log.push(`did ${item}`)
  }
  await eachAlone(items(), work, 'Some are left.')
  expect(log).toEqual(['found a', 'did a', 'found b', 'did b'])
})

test('keeps the first ten failures of thousands', async () => {
  const items = Array.from({ length: 5000 }, (_, index) => index)
  const work = (item: number) => Promise.reject(new Error(String(item)))
  const error = await failure(eachAlone(items, work, 'Some are left.'))
  expect(error?.errors.map(({ message }: Error) => message)).toEqual([...'0123456789'])
})

test('tells why there are no more items beside what went wrong before', async () => {
  async function* items() {
    yield await Promise.resolve('a')
    throw new Error('The list has ended.')
  }
  const work = () => Promise.reject(new Error('Refused.'))
  const error = await failure(eachAlone(items(), work, 'Some are left.'))
  expect(error?.errors).toEqual([new Error('The list has ended.'), new Error('Refused.')])
})
