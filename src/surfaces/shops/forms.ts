import type { Request, Response } from 'express'
import { createBudget } from '../../fairness/budget.ts'
import { readFormBody } from '../call/request_parts.ts'
import { exchangeOf } from '../pages/pages.ts'

/** How many bytes of forms a process reads at once. */
const maxMemory = 32 * 1024 * 1024

/** Reads a form of at most this many bytes. */
export type ReadForm = (
  exchange: { request: Request; response: Response },
  limit: number,
) => Promise<URLSearchParams>

/** A client may start a form and never finish it, so addresses share the memory for forms. */
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

/** The text of a field. */
export function textIn(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim().replaceAll('\0', '')
}

/** The path to return to, only within this shop. Browsers treat a backslash as a slash. */
export function pathIn(text: string | null): string {
  return text !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) && text.length <= 500 ? text : '/'
}
