import type { IncomingMessage } from 'node:http'
import { parsedUrl } from '../core/urls.ts'
import { createBudget } from '../fairness/budget.ts'
import { askPublicHost, bytesOf, PublicFetchError, type PublicFetchParts } from './public_fetch.ts'

interface DownloadRequest {
  url: string
  accept: string
  maxBytes: number
  /** Shares the memory for downloads with the others. */
  account: string
  signal: AbortSignal
}

/** Hands the bytes at a URL to the work; throws a PublicFetchError if they cannot be had. */
export type PublicDownload = <T>(
  request: DownloadRequest,
  work: (bytes: Buffer) => Promise<T>,
) => Promise<T>

/** The host answered, but not with the content. */
export class UnexpectedStatus extends PublicFetchError {
  readonly status: number

  constructor(status: number) {
    super(`The host answered ${status}.`)
    this.status = status
  }
}

const timeLimitMilliseconds = 15_000
/** Hosts of pictures redirect; each address on the way is checked like the first. */
const maxRedirects = 3
/** The bytes are in memory until the work is done. */
const maxMemory = 128 * 1024 * 1024

export function createPublicDownload(parts: PublicFetchParts = {}): PublicDownload {
  const memory = createBudget(maxMemory)
  return async (request, work) => {
    const holding = memory.open(request.account)
    try {
      holding.take(request.maxBytes)
      return await work(await follow(parts, request))
    } finally {
      holding.release()
    }
  }
}

async function follow(
  parts: PublicFetchParts,
  { url, accept, maxBytes, signal }: DownloadRequest,
): Promise<Buffer> {
  const endsAt = Date.now() + (parts.timeLimitMilliseconds ?? timeLimitMilliseconds)
  let at = url
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const request = { accept, timeLimitMilliseconds: Math.max(1, endsAt - Date.now()), signal }
    const answer = await askPublicHost(parts, at, request, async (response) => {
      const location = redirectOf(response)
      if (location !== undefined) return { location }
      if (response.statusCode !== 200) throw new UnexpectedStatus(response.statusCode ?? 0)
      return { bytes: await bytesOf(response, maxBytes) }
    })
    if (answer.bytes) return answer.bytes
    const next = parsedUrl(answer.location, at)
    if (!next) throw new PublicFetchError('The redirect has no URL.')
    at = next.href
  }
  throw new PublicFetchError('The host redirects too often.')
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
}
