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

/** What was typed into a field. */
export function textIn(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim().replaceAll('\0', '')
}

/** The path to return to; only of this shop. A browser takes a backslash for a slash. */
export function pathIn(text: string | null): string {
  return text !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) && text.length <= 500 ? text : '/'
}
