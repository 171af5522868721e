import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AgentLogin, type LoginParts, openLogin } from '../../scripts/agent_login.ts'
import { createPublicFetch } from '../../src/adapters/public_fetch.ts'
import { readTools } from '../../src/core/contract_documents.ts'
import { givenProduct, givenShop, type Product, productBody, type Shop } from '../kit/catalogue.ts'
import { type MetadataHost, startMetadataHost } from '../kit/peers/metadata_host.ts'
import {
  libraries,
  type Library,
  type RealClient,
  type ConsentingPerson,
  consentingPerson,
} from '../kit/real_agents.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

const manifest = readTools()

const hour = 3600_000
const redirectUri = 'http://127.0.0.1/callback'

let service: TestService
let host: MetadataHost
beforeAll(async () => {
  host = await startMetadataHost()
  const publicFetch = createPublicFetch(host.fetchParts)
  service = await startService({ publicFetch, atOwnAddress: true })
})
afterAll(async () => {
  await service.close()
  await host.close()
})

/** The ways a client can identify itself to the authorization server. */
interface Kind {
  name: string
  isRegistered: boolean
  clientId: RegExp
  parts(library: Library, login: () => AgentLogin): Promise<Partial<LoginParts>>
}

const kinds: Kind[] = [
  {
    name: 'registers itself',
    isRegistered: true,
    clientId: /^client_/,
    parts: () => Promise.resolve({}),
  },
  {
    name: 'has a document',
    isRegistered: false,
    clientId: /^https:\/\/agent\.example\.com\//,
    parts() {
      const metadata = { client_name: 'Documented', redirect_uris: [redirectUri] }
      const clientMetadataUrl = host.publish(`/${unique('agent')}.json`, metadata)
      return Promise.resolve({ extension: { clientMetadataUrl } })
    },
  },
  {
    name: 'registers a key and signs',
    isRegistered: true,
    clientId: /^client_/,
    async parts({ signing }, login) {
      const alg = 'ES256'
      const keys = await generateKeyPair(alg, { extractable: true })
      const privateKey = { ...(await exportJWK(keys.privateKey)) }
      const publicKey = { ...(await exportJWK(keys.publicKey)), alg, use: 'sig' }
      return {
        metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicKey] } },
        extension: {
          async addClientAuthentication(...request) {
            const id = login().client()?.client_id ?? ''
            request[1].set('client_id', id)
            // The libraries sign with the machine's clock; the service has a different one.
            vi.setSystemTime(service.now())
            try {
              await signing({ issuer: id, subject: id, privateKey, alg })(...request)
            } finally {
              vi.useRealTimers()
            }
          },
        },
      }
    },
  },
]

/** An agent ready to connect, used by the owner of a shop. */
interface Flow {
  shop: Shop
  product: Product
  visitor: ConsentingPerson
  login: AgentLogin
  /** The client's posts and their answers since the last call. */
  trail(): string[]
  /** Requests of the first connection attempt. */
  firstTrail: string[]
  client: RealClient
  /** Calls a tool; if consent is needed first, passes it to the client and calls again. */
  call(name: string, data?: object): Promise<Record<string, unknown>>
}

async function startFlow(library: Library, kind: Kind, search = ''): Promise<Flow> {
  const shop = await givenShop(service)
  const product = await givenProduct(shop)
  const visitor = consentingPerson(service, shop.person.email)
  const requests: string[] = []
  const recordingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    requests.push(`${init?.method ?? 'GET'} ${pathname} ${response.status}`)
    return response
  }
  const parts = await kind.parts(library, () => login)
  const open = (url: URL) => visitor.decide(url)
  const login: AgentLogin = await openLogin({ name: 'Flow', ...parts, open })
  const address = new URL(`${service.config.baseUrl}/mcp${search}`)
  const attempt = () => library.attempt(address, login, recordingFetch)

  visitor.withheld = ['products:write']
  const first = attempt()
  await expect(first.connect()).rejects.toThrow(library.unauthorized)
  const firstTrail = requests.splice(0)
  await first.finish(await login.callback())
  const second = attempt()
  await second.connect()
  visitor.withheld = []

  async function call(name: string, data: object = {}) {
    const params = { name, arguments: { workspaceId: shop.workspaceId, ...data } }
    const result = await second.client.callTool(params).catch(async (error: unknown) => {
      if (!(error instanceof library.unauthorized)) throw error
      await second.finish(await login.callback())
      return second.client.callTool(params)
    })
    const { isError, structuredContent } = result as Record<string, unknown>
    expect(isError ?? false).toBe(false)
    return structuredContent as Record<string, unknown>
  }
  const trail = () => requests.splice(0).filter((line) => line.startsWith('POST '))
  return { shop, product, visitor, login, trail, firstTrail, call, client: second.client }
}

describe.each(libraries)('$name', (library) => {
  describe.each(kinds)('that $name', (kind) => {
    let flow: Flow
    beforeAll(async () => {
      flow = await startFlow(library, kind)
    })
    afterAll(async () => {
      await flow.client.close()
      await flow.login.close()
    })

    test('discovers the authorization server from a 401 and identifies itself there', () => {
      expect(flow.firstTrail).toEqual([
        'POST /mcp 401',
        'GET /.well-known/oauth-protected-resource/mcp 200',
        'GET /.well-known/oauth-authorization-server 200',
        ...(kind.isRegistered ? ['POST /oauth/register 201'] : []),
      ])
      expect(flow.login.client()?.client_id).toMatch(kind.clientId)
    })

    test('lists every tool and calls three of them', async () => {
      const { tools } = await flow.client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(manifest.map(({ name }) => name))
      const { product, shop } = flow
      const { workspaces } = await flow.call('list_workspaces', { workspaceId: undefined })
      expect(workspaces).toMatchObject([{ id: shop.workspaceId }])
      const { products } = await flow.call('list_products', { query: { pageSize: 1 } })
      expect(products).toMatchObject([{ id: product.id }])
      expect(await flow.call('get_product', { id: product.id })).toMatchObject(product)
    })

    test('refreshes automatically when its token has expired', async () => {
      const before = flow.login.tokens()
      service.advance(hour)
      flow.trail()
      expect(await flow.call('get_product', { id: flow.product.id })).toMatchObject(flow.product)
      expect(flow.trail()).toEqual(['POST /mcp 401', 'POST /oauth/token 200', 'POST /mcp 200'])
      const after = flow.login.tokens()
      expect(after?.access_token).not.toBe(before?.access_token)
      expect(after?.refresh_token).not.toBe(before?.refresh_token)
      expect(after?.scope).toBe(before?.scope)
    })

    test('asks for more scopes when a tool needs them, and continues', async () => {
      expect(flow.login.tokens()?.scope?.split(' ')).not.toContain('products:write')
      const scopes = flow.login.tokens()?.scope?.split(' ') ?? []
      flow.trail()
      const data = productBody()
      expect(await flow.call('create_product', { data })).toMatchObject({ sku: data.sku })
      expect([...flow.visitor.requested].sort()).toEqual([...scopes, 'products:write'].sort())
      expect(flow.trail()).toEqual(['POST /mcp 403', 'POST /oauth/token 200', 'POST /mcp 200'])
      expect(flow.login.tokens()?.scope?.split(' ')).toContain('products:write')
    })

    test('is refused at the next call after its owner has revoked it', async () => {
      const dashboard = service.dashboard(flow.shop.person)
      const { body } = await dashboard.get('/api/connections').expect(200)
      for (const { id } of body.connections as { id: string }[])
        await dashboard.delete(`/api/connections/${id}`).expect(200)
      flow.visitor.withheld = undefined
      flow.trail()
      const call = flow.call('list_workspaces', { workspaceId: undefined })
      await expect(call).rejects.toThrow('The person did not allow it.')
      expect(flow.trail()).toEqual(['POST /mcp 401', 'POST /oauth/token 400'])
      expect(flow.login.tokens()).toBeUndefined()
    })
  })

  test('requests only the scopes that the tools of a narrowed address need', async () => {
    const flow = await startFlow(library, kinds[0]!, '?readonly=true&toolsets=products')
    const { tools } = await flow.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('get_product')
    expect(tools.map(({ name }) => name)).not.toContain('create_product')
    expect(flow.visitor.requested).toEqual(['products:read'])
    await flow.client.close()
    await flow.login.close()
  })
})
