import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { Json, Shop, Task } from './tasks.ts'

export interface Spent {
  calls: number
  tokens: number
}

export interface Agent {
  measure: (task: Task) => Promise<Spent>
  /** The tokens that a model reads of one call. */
  tokensOf: (tool: string, args?: Json) => Promise<number>
  close: () => Promise<void>
}

export interface ShopParts extends Pick<Shop, 'view' | 'pictures'> {
  endpoint: string
  token: string
  workspaceId: string
}

/**
 * Connects a real client. A model reads a result once: clients hand it over either as the text or as the
 * same JSON in the structured content. The text is counted, because it is what was sent.
 */
export async function connectAgent({
  endpoint,
  token,
  workspaceId,
  ...rest
}: ShopParts): Promise<Agent> {
  const client = new Client({ name: 'vitrine-tasks', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }))
  // The client validates what tools answer against the schemas that it has read.
  await client.listTools()

  async function call(spent: Spent, name: string, args: Json = {}): Promise<Json> {
    const answer = await client.callTool({ name, arguments: { workspaceId, ...args } })
    const { isError, structuredContent, content } = answer
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
    spent.calls++
    for (const block of content)
      if (block.type === 'text') spent.tokens += encode(block.text).length
    return structuredContent as Json
  }

  const shopFor = (spent: Spent): Shop => ({
    ...rest,
    call: <T>(tool: string, args?: Json) => call(spent, tool, args) as Promise<T>,
  })
  return {
    async measure({ given, run }) {
      const spent = { calls: 0, tokens: 0 }
      const prepared = await given?.(shopFor({ calls: 0, tokens: 0 }))
      await run(shopFor(spent), prepared)
      return spent
    },
    async tokensOf(tool, args) {
      const spent = { calls: 0, tokens: 0 }
      await call(spent, tool, args)
      return spent.tokens
    },
    close: () => client.close(),
  }
}

/** Single answers that a model reads often, with the most tokens they may have in the demo shop. */
export const answers: [tool: string, args: Json, tokens: number][] = [
  ['list_products', { query: { view: 'summary', pageSize: 40 } }, 4000],
  ['list_collections', { query: { view: 'summary' } }, 2200],
  ['list_collections', {}, 14_000],
  ['search_catalogue', { query: { search: 'gül', limit: 10 } }, 800],
]
