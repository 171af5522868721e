import { setTimeout as pause } from 'node:timers/promises'

interface ChangeSet {
  id: string
  state: string
  counts: { creates: number; errors: number }
  failure: string | null
}

type Body = Record<string, unknown>

/** The demo's workspace, as a program imports into it. */
export interface ImportShop {
  get(path: string): Promise<Body>
  call(path: string, method: string, body: object): Promise<Body>
  /** Uploads a file of these lines and plans it. */
  plan(lines: string[]): Promise<ChangeSet>
  /** Asks for a step, which goes on in the background. */
  begin(id: string, step: 'apply' | 'undo'): Promise<void>
  /** The set when no step is under way any more. */
  ended(id: string): Promise<ChangeSet>
  /** Takes a step to its end. */
  step(id: string, step: 'apply' | 'undo'): Promise<ChangeSet>
  /** The numbers of the rows that cannot be applied. */
  badRows(id: string): Promise<number[]>
  entityTags(ids: string[]): Promise<Map<string, string | null>>
}

export async function shopAt(api: () => string, key: string): Promise<ImportShop> {
  const headers = { Authorization: `Bearer ${key}` }
  const bodyOf = async (response: Response) => {
    const body = (await response.json()) as Body
    if (!response.ok) throw new Error(`${response.url}: ${JSON.stringify(body)}`)
    return body
  }
  const listed = await bodyOf(await fetch(`${api()}/v1/workspaces`, { headers }))
  const [workspace] = listed.workspaces as { id: string }[]
  const at = (path: string) => `${api()}/v1/workspaces/${workspace!.id}/${path}`
  const call = async (path: string, method: string, body?: object) =>
    bodyOf(
      await fetch(at(path), {
        method,
        headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const shop: ImportShop = {
    get: (path) => call(path, 'GET'),
    call,
    async plan(lines) {
      const form = new FormData()
      form.append('format', 'csv')
      form.append('file', new Blob([lines.join('\n')]), 'products.csv')
      const sent = await fetch(at('change-sets/upload'), { method: 'POST', headers, body: form })
      const { uploadId } = await bodyOf(sent)
      const { id } = await call('change-sets', 'POST', { uploadId })
      return shop.ended(id as string)
    },
    async begin(id, step) {
      await call(`change-sets/${id}/${step}`, 'POST', step === 'apply' ? { skipErrors: true } : {})
    },
    async ended(id) {
      for (;;) {
        const set = (await shop.get(`change-sets/${id}`)) as unknown as ChangeSet
        if (!set.state.endsWith('ING')) return set
        await pause(1_000)
      }
    },
    async step(id, step) {
      await shop.begin(id, step)
      return shop.ended(id)
    },
    async badRows(id) {
      const { rows } = await shop.get(`change-sets/${id}/rows?only=errors&pageSize=100`)
      return (rows as { row: number }[]).map(({ row }) => row)
    },
    async entityTags(ids) {
      const tags = new Map<string, string | null>()
      for (const id of ids) {
        const response = await fetch(at(`products/${id}`), { headers })
        await response.arrayBuffer()
        tags.set(id, response.headers.get('etag'))
      }
      return tags
    },
  }
  return shop
}
