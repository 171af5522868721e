import type { Kysely } from 'kysely'
import { consentVersion } from '../../src/access/tokens.ts'
import { newId } from '../../src/core/ids.ts'
import { hashToken, newToken } from '../../src/core/secrets.ts'
import type { Database } from '../../src/db/schema.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import type { CallRequest } from './load.ts'
import { productPath } from './scenarios.ts'
import type { Shop } from './seed.ts'

/** The same read over REST and by an agent, and the list of tools. */
export function agentScenarios({
  workspaceId,
  productIds,
}: Shop): Record<string, () => CallRequest> {
  let turn = 0
  const nextId = () => productIds[turn++ % productIds.length]!
  const tool = (meta?: object) => {
    const call = { name: 'get_product', arguments: { workspaceId, id: nextId() }, _meta: meta }
    return { method: 'POST' as const, path: '/mcp', body: message('tools/call', call) }
  }
  return {
    'REST get': () => ({ method: 'GET', path: productPath(workspaceId, nextId()) }),
    'tools/call, 2025-11-25': () => tool(),
    'tools/call, 2026-07-28': () => ({ ...tool(envelope), headers }),
    'tools/call, list of 100': () => ({
      method: 'POST',
      path: '/mcp',
      body: message('tools/call', {
        name: 'list_products',
        arguments: { workspaceId, query: { pageSize: 100 } },
      }),
    }),
    'tools/list': () => ({ method: 'POST', path: '/mcp', body: message('tools/list', {}) }),
  }
}

const version = '2026-07-28'
const headers = {
  'MCP-Protocol-Version': version,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'get_product',
}
const envelope = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Inserts an agent with every scope of the shop's owner; returns its access token. */
export async function insertAgent(db: Kysely<Database>, resource: string): Promise<string> {
  const token = newToken('accessToken', 'development')
  const [sourceId, clientId, grantId] = [newId('src'), newId('client'), newId('grant')]
  const allScopes = Object.keys(scopes) as Scope[]
  const [now, later] = [new Date(), new Date(Date.now() + 24 * 3600_000)]
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const source = { id: sourceId, kind: 'AGENT' as const, identity: resource, name: 'bench' }
  await db.insertInto('integration_sources').values(source).execute()
  const client = { id: clientId, source_id: sourceId, metadata: '{}', created_at: now }
  await db.insertInto('oauth_clients').values(client).execute()
  await db
    .insertInto('grants')
    .values({
      id: grantId,
      account_id: id,
      client_id: clientId,
      source_id: sourceId,
      resource,
      requested_scopes: allScopes,
      scopes: allScopes,
      consent_version: consentVersion,
      created_at: now,
      expires_at: later,
    })
    .execute()
  const row = {
    token_hash: hashToken(token),
    grant_id: grantId,
    scopes: allScopes,
    expires_at: later,
  }
  await db.insertInto('access_tokens').values(row).execute()
  return token
}
