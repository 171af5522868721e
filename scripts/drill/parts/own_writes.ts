import { setTimeout as pause } from 'node:timers/promises'
import type { Workspace } from '../../upgrade/catalogue.ts'

/** What came of reading after each write. */
export interface OwnWrites {
  reads: number
  /** Reads that were older than a write acknowledged before them. */
  stale: string[]
  failed: string[]
  slowestMilliseconds: number
}

/**
 * Writes a product again and again, through one service after the other, and reads it after each
 * acknowledgement through all of them: alone, in a list, by a search and as visitors see it.
 */
export function startOwnWrites(apis: string[], { id, key, productIds }: Workspace) {
  const outcome: OwnWrites = { reads: 0, stale: [], failed: [], slowestMilliseconds: 0 }
  const productId = productIds[0]!
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const at = `/v1/workspaces/${id}`
  let stopped = false

  async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
    const startedAt = performance.now()
    const answer = await fetch(url, { ...init, headers })
    const body: unknown = await answer.json()
    outcome.slowestMilliseconds = Math.max(
      outcome.slowestMilliseconds,
      performance.now() - startedAt,
    )
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${url}: ${answer.status}`)
    return body
  }

  type Product = { id: string; name: string }
  const views: [path: (name: string) => string, nameIn: (body: never) => string | undefined][] = [
    [() => `/products/${productId}`, ({ name }: Product) => name],
    [
      () => '/products?sort=-updatedAt&pageSize=100',
      ({ products }: { products: Product[] }) => nameOf(products),
    ],
    [
      (name) => `/products?search=${encodeURIComponent(name)}`,
      ({ products }: { products: Product[] }) => nameOf(products),
    ],
    [() => `/experience/products/${productId}`, ({ name }: Product) => name],
  ]
  const nameOf = (products: Product[]) => products.find((each) => each.id === productId)?.name

  async function turn(number: number): Promise<void> {
    const name = `Krem ${number}x`
    const body = JSON.stringify({ name })
    const writer = apis[number % apis.length]!
    await ask(`${writer}${at}/products/${productId}`, { method: 'PATCH', body })
    await Promise.all(
      apis.flatMap((api) =>
        views.map(async ([path, nameIn]) => {
          const seen = nameIn((await ask(`${api}${at}${path(name)}`)) as never)
          outcome.reads++
          if (seen !== name) outcome.stale.push(`stale: ${path(name)} says ${seen} after ${name}`)
        }),
      ),
    )
  }

  const running = (async () => {
    for (let number = 0; !stopped; number++) {
      await turn(number).catch((error: unknown) => outcome.failed.push(String(error)))
      await pause(20)
    }
  })()
  return {
    async stop(): Promise<OwnWrites> {
      stopped = true
      await running
      return outcome
    },
  }
}
