import { setTimeout as delay } from 'node:timers/promises'
import type { Contract, Operation } from './document.ts'
import { type Answer, judge } from './judge.ts'
import type { Report } from './report.ts'

/** The parts of a call that an operation leaves open. */
export interface Call {
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  /** Another credential than the usual; null for none. */
  key?: string | null
}

export interface Target {
  baseUrl: string
  key: string
  workspaceId: string
  /** A key with the scope workspaces:read alone; without it, missing checks of scopes go unnoticed. */
  limitedKey?: string | undefined
  /** A workspace of another account. Unless given, an id that no workspace has. */
  foreignWorkspaceId?: string | undefined
}

export interface Caller {
  contract: Contract
  report: Report
  target: Target
  /** Sends a call of an operation and judges its answer. */
  send(operation: Operation, call?: Call): Promise<Answer>
  /** Sends anything, and judges nothing. */
  fetch(method: string, path: string, init: RequestInit): Promise<Answer>
}

/** An id of the right form that nothing has. */
export const unknownId = '00000000000000000000000000'

const longestWaitSeconds = 90

export function createCaller(
  contract: Contract,
  report: Report,
  target: Target,
  signal?: AbortSignal,
): Caller {
  /** Waits where the service asks for it. */
  async function fetchPatiently(method: string, path: string, init: RequestInit): Promise<Answer> {
    for (;;) {
      const response = await fetch(target.baseUrl + path, { ...init, method })
      const { status, headers } = response
      const text = await response.text()
      const seconds = Number(headers.get('retry-after') ?? NaN)
      if (status !== 429 || !(seconds <= longestWaitSeconds))
        return { status, headers, text, json: parsed(text) }
      await delay(seconds * 1000)
    }
  }

  async function send(operation: Operation, call: Call = {}): Promise<Answer> {
    signal?.throwIfAborted()
    const method = operation.method.toUpperCase()
    const key = call.key === undefined ? target.key : call.key
    const headers = new Headers(call.headers)
    if (key !== null) headers.set('Authorization', `Bearer ${key}`)
    if (call.body !== undefined) headers.set('Content-Type', 'application/json')
    const body = call.body === undefined ? null : JSON.stringify(call.body)
    const path = pathOf(operation, target, call)
    const answer = await fetchPatiently(method, path, { headers, body })
    const { code } = (answer.json ?? {}) as { code?: string }
    report.count(operation, answer.status, code)
    for (const fault of judge(contract, operation, answer))
      report.violate(operation, fault, `${method} ${path} ${(body ?? '').slice(0, 300)}`)
    return answer
  }

  return { contract, report, target, send, fetch: fetchPatiently }
}

function pathOf(
  { path }: Operation,
  { workspaceId }: Target,
  { path: values = {}, query = {} }: Call,
) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(values[name] ?? (name === 'workspaceId' ? workspaceId : unknownId)),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) search.append(name, String(item))
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Runs tasks, some at a time, in their order. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const pending = items.values()
  const follow = async () => {
    for (const item of pending) await work(item)
  }
  // All of them end first, so that nothing is made after a failure is told.
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, follow))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
