import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openLogin } from '../../scripts/agent_login.ts'
import { testClientFile } from '../../scripts/test_clients.mjs'
import { readTools } from '../../src/core/contract_documents.ts'
import { consent, loopbackUri } from '../kit/agent_flow.ts'
import { message } from '../kit/agents.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { freePorts } from '../kit/free_ports.ts'
import {
  aiSdk,
  type ConsentingPerson,
  consentingPerson,
  type RealClient,
} from '../kit/real_agents.ts'
import { startService, type TestService } from '../kit/service.ts'

const toolNames = readTools().map(({ name }) => name)

/** A folder in which a client keeps what it remembers. */
const scratch = (prefix: string) => mkdtempSync(join(inject('scratchFolder'), prefix))

let service: TestService
let shop: Shop
let product: Product
/** Signs in once and stays signed in. */
let visitor: ConsentingPerson
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  shop = await givenShop(service)
  product = await givenProduct(shop)
  visitor = consentingPerson(service, shop.person.email)
})
afterAll(() => service.close())

/** Lists the tools, calls one and gets a refusal that it can read. */
async function expectUsable(client: RealClient): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(toolNames)
  const get = (id: string) =>
    client.callTool({ name: 'get_product', arguments: { workspaceId: shop.workspaceId, id } })
  expect(await get(product.id)).toMatchObject({ structuredContent: { id: product.id } })
  const text = '{"status":404,"code":"not_found","message":"There is no such product."}'
  expect(await get('prod_unknown')).toMatchObject({
    isError: true,
    content: [{ type: 'text', text }],
  })
}

test('the client of the AI SDK connects from nothing and calls tools', async () => {
  const opened: URL[] = []
  const login = await openLogin({ name: 'AI SDK', open: (url) => void opened.push(url) })
  const address = new URL(`${service.config.baseUrl}/mcp`)
  await expect(aiSdk.attempt(address, login, fetch).connect()).rejects.toThrow('Unauthorized')
  // It asks for a stream and for the handshake, and begins an authorization for each.
  await visitor.decide(opened.at(-1)!)
  const attempt = aiSdk.attempt(address, login, fetch)
  await attempt.finish(await login.callback())
  await attempt.connect()
  await expectUsable(attempt.client)
  await attempt.client.close()
  await login.close()
})

/** The address that mcp-remote asks a person to open. */
async function authorizationUrl(stderr: Readable): Promise<URL> {
  let output = ''
  for await (const chunk of stderr) {
    output += String(chunk)
    const [, url] = /visiting:\s+(http\S+)\s/.exec(output) ?? []
    if (url !== undefined) return new URL(url)
  }
  throw new Error(output)
}

describe('mcp-remote', () => {
  test.each(['legacy', 'auto'])('connects a local client, protocol %s', async (protocol) => {
    const [port] = await freePorts()
    const script = await testClientFile('mcp-remote', 'dist', 'proxy.js')
    const address = `${service.config.baseUrl}/mcp`
    const options = ['--allow-http', '--host', '127.0.0.1', '--protocol', protocol]
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [script, address, port, ...options],
      // No browser: the person opens the printed address.
      env: { MCP_REMOTE_CONFIG_DIR: scratch('mcp-remote-'), PATH: '' },
      stderr: 'pipe',
    })
    const client = new Client({ name: 'tests', version: '1.0.0' })
    try {
      const connected = client.connect(transport)
      await visitor.decide(await authorizationUrl(transport.stderr as Readable))
      await connected
      await expectUsable(client)
    } finally {
      await transport.close()
    }
  })
})

/** Runs the Inspector's command line, in a home of its own: it writes there. */
async function inspect(options: string[]): Promise<unknown> {
  const build = ['clients', 'launcher', 'build', 'index.js']
  const script = await testClientFile('@modelcontextprotocol', 'inspector', ...build)
  const args = [script, '--cli', `${service.config.baseUrl}/mcp`, '--format', 'json', '--quiet']
  const env = { HOME: scratch('inspector-'), PATH: '' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args, ...options], { env }, (_error, stdout, stderr) => {
      // It exits with an error if a tool refuses, and prints the refusal all the same.
      if (stdout) resolve((JSON.parse(stdout) as { result: unknown }).result)
      else reject(new Error(stderr))
    })
  })
}

test.each(['legacy', 'modern'])('the Inspector uses tools, protocol %s', async (era) => {
  const { token } = await service.givenAgent(shop.person)
  const options = ['--protocol-era', era, '--header', `Authorization: Bearer ${token}`]
  const run = (method: string, ...others: string[]) =>
    inspect([...options, '--method', method, ...others])
  await expectUsable({
    listTools: () => run('tools/list') as Promise<{ tools: { name: string }[] }>,
    callTool: ({ name, arguments: values }) =>
      run('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(values)),
    close: () => Promise.resolve(),
  })
})

test('openid-client registers, authorises, refreshes and reads a challenge', async () => {
  const { baseUrl } = service.config
  const [server, resource] = [new URL(baseUrl), `${baseUrl}/mcp`]
  const config = await openid.dynamicClientRegistration(
    server,
    { client_name: 'openid-client', redirect_uris: [loopbackUri] },
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()]
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: loopbackUri,
    scope: 'products:read',
    resource,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const pending = { url, state, verifier, redirectUri: loopbackUri }
  const callback = await consent(service, shop.person, pending)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, { resource })
  const { access_token: token } = await openid.refreshTokenGrant(
    config,
    tokens.refresh_token ?? '',
    {
      resource,
    },
  )
  const call = (name: string, args: object) =>
    openid.fetchProtectedResource(
      config,
      token,
      new URL(resource),
      'POST',
      JSON.stringify(message('tools/call', { name, arguments: args })),
      new Headers({ 'Content-Type': 'application/json' }),
    )
  const path = { workspaceId: shop.workspaceId, id: product.id }
  expect((await call('get_product', path)).status).toBe(200)
  const refused = await call('delete_product', path).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(openid.WWWAuthenticateChallengeError)
  const [challenge] = (refused as openid.WWWAuthenticateChallengeError).cause
  expect(challenge).toMatchObject({
    scheme: 'bearer',
    parameters: { error: 'insufficient_scope', scope: 'products:write products:read' },
  })
})
