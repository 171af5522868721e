import { listsTag } from '../../core/etags.ts'
import { createLane } from '../../fairness/lane.ts'
import { createShares } from '../../fairness/shares.ts'
import type { Answer, Reader } from '../call/call.ts'
import type { Exchange } from './exchange.ts'

/** The large answers of a process. */
export interface HeavyAnswers {
  /**
   * Waits for the account's other answers; refuses if that takes too long. Each time the returned parts are
   * read, they come paced.
   */
  admit(
    exchange: Exchange,
    reader: Reader,
    parts: () => AsyncIterable<string>,
  ): Promise<() => AsyncIterable<Buffer>>
}

/** Each answer holds a part until its reader takes it. */
const maxOfAccount = 8
const waitSeconds = 10
/** The longest that an answer may take, however steadily it is read: 64 MiB at 110 kB a second. */
const maxMilliseconds = 600_000

/**
 * Reading, decoding and encoding a part occupies a core of the database and then the event loop for some
 * milliseconds. So a process reads one part at a time, and accounts take turns: that leaves a core and time
 * in the loop for others.
 */
export function createHeavyAnswers(): HeavyAnswers {
  const shares = createShares({ places: maxOfAccount, seconds: waitSeconds })
  const lane = createLane()

  async function* paced(
    { account, reauthorise }: Reader,
    parts: AsyncIterable<string>,
  ): AsyncIterable<Buffer> {
    const iterator = parts[Symbol.asyncIterator]()
    const readNext = async () => {
      const result = await iterator.next()
      return result.done ? undefined : Buffer.from(result.value)
    }
    try {
      for (let part = await lane.inTurn(account, readNext); part;) {
        yield part
        await reauthorise()
        part = await lane.inTurn(account, readNext)
      }
    } finally {
      await iterator.return?.()
    }
  }

  return {
    async admit({ request, response }, reader, parts) {
      // A HEAD request sends no parts.
      if (request.method === 'HEAD') return () => paced(reader, parts())
      const giveBack = await shares.take(reader.account)
      const deadline = setTimeout(() => response.destroy(), maxMilliseconds).unref()
      const end = () => {
        clearTimeout(deadline)
        giveBack()
      }
      // A client that left while waiting has closed already.
      if (response.destroyed) end()
      else response.once('close', end)
      return () => paced(reader, parts())
    },
  }
}

/** Whether a reading client already has this answer. */
export function isKnown(
  { request }: Exchange,
  { headers: { ETag } }: Pick<Answer, 'headers'>,
): boolean {
  const header = request.headers['if-none-match']
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && header !== undefined && typeof ETag === 'string' && listsTag(header, ETag)
}
