import type { Request, Response } from 'express'
import { createBudget } from '../../fairness/budget.ts'
import { readFormBody } from '../call/request_parts.ts'
import { exchangeOf } from '../pages/pages.ts'

/** Bytes of forms that a process reads at once. */
const maxMemory = 32 * 1024 * 1024

/** Reads a form of so many bytes at most. */
export type ReadForm = (
  exchange: { request: Request; response: Response },
  limit: number,
) => Promise<URLSearchParams>

/** A client may send a form and never end it, so addresses share the memory for them. */
export function createFormReader(): ReadForm {
  const memory = createBudget(maxMemory)
  return async ({ request, response }, limit) => {
    const holding = memory.open(exchangeOf(response).clientIp)
    try {
      return new URLSearchParams(await readFormBody(request, limit, holding))
    } finally {
      holding.release()
    }
  }
}
