import { setTimeout as pause } from 'node:timers/promises'
import { exampleOf } from '../../src/core/examples.ts'
import type { Workspace } from './catalogue.ts'

/** Calls a second, as a busy shop gets them. */
const callsPerSecond = 20

export interface LoadOutcome {
  calls: Record<string, number>
  /** What failed: the call, its status or error, and what happened meanwhile. */
  failures: string[]
  /** Ids of products whose creation was acknowledged, and that no call deleted. */
  created: Set<string>
}

let number = 0

/** Calls a build in turn with reads and writes until `stop`, some of them at the same time. */
export function startLoad(
  api: string,
  workspaces: Workspace[],
  name: string,
  /** What happens meanwhile, to be told with a failure. */
  meanwhile: () => string = () => '',
) {
  const outcome: LoadOutcome = { calls: {}, failures: [], created: new Set() }
  const under = new Set<Promise<void>>()
  let stopped = false

  async function call(kind: string, { key, id }: Workspace, path: string, init: RequestInit = {}) {
    outcome.calls[kind] = (outcome.calls[kind] ?? 0) + 1
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(init.body ? { 'Content-Type': 'application/json' } : {}),
    }
    const startedAt = performance.now()
    const fail = (reason: string) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      outcome.failures.push(`${name} ${kind}: ${reason} after ${seconds} s. ${meanwhile()}`)
    }
    try {
      const answer = await fetch(`${api}/v1/workspaces/${id}/${path}`, { ...init, headers })
      const text = await answer.text()
      if (answer.ok) return JSON.parse(text) as { id?: string }
      fail(`${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      fail(`${String(error)} ${String((error as Error).cause)}`)
    }
    return {}
  }

  const bodyOf = (workspace: Workspace) => {
    const unique = `${name} ${++number}`
    return JSON.stringify({
      ...exampleOf('ProductUpdate'),
      name: `Krem ${unique}`,
      sku: `K ${unique}`,
      barcode: `B ${unique}`,
      stock: number % 3,
      status: number % 5 === 0 ? 'INACTIVE' : 'ACTIVE',
      imageIds: [],
      tagIds: number % 2 === 0 ? [workspace.tagId] : [],
    })
  }

  /** The newest product that this load made in a workspace and that no other call of it uses. */
  const own = new Map<string, string[]>()

  async function act(turn: number): Promise<void> {
    const workspace = workspaces[turn % workspaces.length]!
    const mine = own.get(workspace.id) ?? []
    own.set(workspace.id, mine)
    const some = workspace.productIds[(turn * 7919) % workspace.productIds.length]!
    switch (turn % 11) {
      case 0:
      case 1:
      case 2: {
        const { id } = await call('create', workspace, 'products', {
          method: 'POST',
          body: bodyOf(workspace),
        })
        if (id === undefined) return
        outcome.created.add(id)
        return void mine.push(id)
      }
      case 3: {
        const id = mine.shift()
        if (id === undefined) return
        const body = bodyOf(workspace)
        await call('update', workspace, `products/${id}`, { method: 'PUT', body })
        return void mine.push(id)
      }
      case 4: {
        const id = mine.length > 3 ? mine.shift() : undefined
        if (id === undefined) return
        outcome.created.delete(id)
        return void (await call('delete', workspace, `products/${id}`, { method: 'DELETE' }))
      }
      case 5: {
        const body = JSON.stringify({ name: `Tag ${name} ${++number}` })
        return void (await call('create tag', workspace, 'tags', { method: 'POST', body }))
      }
      case 6:
        return void (await call('search', workspace, 'products?search=Krem'))
      case 7:
        return void (await call('list', workspace, `products?page=${1 + (turn % 40)}`))
      case 8:
        return void (await call('list by name', workspace, 'products?sort=name'))
      default:
        return void (await call('get', workspace, `products/${some}`))
    }
  }

  const running = (async () => {
    const startedAt = performance.now()
    for (let turn = 0; !stopped; turn++) {
      const acting = act(turn).finally(() => under.delete(acting))
      under.add(acting)
      await pause(Math.max(0, startedAt + ((turn + 1) * 1000) / callsPerSecond - performance.now()))
    }
  })()

  return {
    async stop(): Promise<LoadOutcome> {
      stopped = true
      await running
      await Promise.all(under)
      return outcome
    },
  }
}
