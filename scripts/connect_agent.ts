// npm run agent: connects a command-line agent to the demo that `npm start` serves and calls three
// tools, one line per step. With --demo it also plays the person, without a browser.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { readConfig } from '../src/settings/config.ts'
import type { Demo } from '../src/demo/demo.ts'
import type { components } from '../src/generated/types.ts'
import { openLogin } from './agent_login.ts'

type Schemas = components['schemas']

/** A problem that the person at the terminal can fix. */
class UserError extends Error {}

interface Place extends Demo {
  outbox: string
}

let steps = 0
const say = (line: string) => console.log(`${++steps}. ${line}`)
const aside = (line: string) => console.log(`   ${line}`)

function findDemo(): Place {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { dataDir } = readConfig(process.env)
  const file = join(dataDir, 'demo.json')
  if (!existsSync(file))
    throw new UserError(`${file} does not exist. Run npm start first, with the same DATA_DIR.`)
  const demo = JSON.parse(readFileSync(file, 'utf8')) as Demo
  return { ...demo, outbox: join(dataDir, 'outbox') }
}

async function connect(place: Place, open: (url: URL) => void | Promise<void>): Promise<Client> {
  const endpoint = new URL(`${place.baseUrl}/mcp`)
  const login = await openLogin({ name: 'Vitrine example agent', open, say })
  const authProvider = login.provider
  const attempt = async () => {
    const client = new Client({ name: 'vitrine-example-agent', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(endpoint, { authProvider })
    const needsConsent = await client.connect(transport).then(
      () => false,
      (error: unknown) => {
        if (error instanceof UnauthorizedError) return true
        throw error
      },
    )
    return { client, transport, needsConsent }
  }
  try {
    say(`The agent calls ${endpoint.href}.`)
    const first = await attempt()
    if (!first.needsConsent) return first.client
    const answer = await login.callback()
    say('The browser returns with a code, which the agent exchanges.')
    await first.transport.finishAuth(answer)
    return (await attempt()).client
  } finally {
    await login.close()
  }
}

/** Opens the authorization page in the person's browser. */
function openForPerson({ accountEmail, outbox }: Place, url: URL): void {
  say('Sign in and decide in your browser:')
  aside(url.href)
  aside(`The demo account is ${accountEmail}. Its sign-in code is in the log`)
  aside(`of npm start, and in the newest file of ${outbox}.`)
  const openers: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  }
  const [command = '', ...options] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(command, [...options, url.href], { stdio: 'ignore', detached: true })
  // No browser on this machine: the address is printed above.
  opener.on('error', () => undefined).unref()
}

/** Does what a person does in a browser; each origin gets only its own cookies. */
async function decideForDemo(place: Place, url: URL): Promise<void> {
  const { accountEmail: email, dashboardUrl } = place
  say(`It signs in as ${email} with the mailed code and allows everything.`)
  const authorization = await fetch(url, { redirect: 'manual' })
  const requestId = authorization.headers.get('location')?.split('/').at(-1) ?? ''
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'Content-Type': 'application/json', Origin: dashboardUrl, Cookie: cookie }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${dashboardUrl}${path}`, request)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response
  }
  const earlier = mailsOf(place)
  await post('/api/session/code', { email })
  const session = await post('/api/session', { email, code: await newCode(place, earlier) })
  const consent = await post(`/api/consent/${requestId}`, { decision: 'allow' }, cookieOf(session))
  const { redirectTo } = (await consent.json()) as Schemas['ConsentOutcome']
  const headers = { Cookie: cookieOf(authorization) }
  const completed = await fetch(redirectTo, { redirect: 'manual', headers })
  await fetch(completed.headers.get('location') ?? '')
}

const cookieOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

function mailsOf({ outbox, accountEmail }: Place): string[] {
  const names = existsSync(outbox) ? readdirSync(outbox) : []
  const mails = names.filter((name) => name.endsWith('.json')).sort()
  return mails.filter((name) => readFileSync(join(outbox, name), 'utf8').includes(accountEmail))
}

async function newCode(place: Place, earlier: string[]): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const name = mailsOf(place).find((mail) => !earlier.includes(mail))
    if (name) {
      const { text } = JSON.parse(readFileSync(join(place.outbox, name), 'utf8')) as {
        text: string
      }
      return /\b\d{6}\b/.exec(text)?.[0] ?? ''
    }
    await delay(100)
  }
  throw new UserError(`No code arrived in ${place.outbox}.`)
}

async function callTools(client: Client): Promise<void> {
  const call = async <T>(name: string, input: object): Promise<T> => {
    const result = await client.callTool({ name, arguments: { ...input } })
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result.structuredContent as T
  }
  const { tools } = await client.listTools()
  say(`It sees ${tools.length} tools, ${tools[0]?.name} to ${tools.at(-1)?.name}.`)

  const { workspaces } = await call<Schemas['WorkspaceList']>('list_workspaces', {})
  const [workspace] = workspaces
  say(`list_workspaces: ${workspaces.map(({ name, id }) => `${name} (${id})`).join(', ')}`)
  if (!workspace) return
  const workspaceId = workspace.id
  const query = { pageSize: 3, view: 'summary' }
  const list = await call<Schemas['ProductList']>('list_products', { workspaceId, query })
  const names = list.products.map(({ name }) => name)
  say(`list_products: ${list.pagination.total} products, including ${names.join(', ')}`)
  const [product] = list.products
  if (!product) return
  const whole = await call<Schemas['Product']>('get_product', { workspaceId, id: product.id })
  say(`get_product: ${whole.name} of ${whole.brand}, SKU ${whole.sku}, ${whole.stock} in stock`)
}

async function main(): Promise<void> {
  const place = findDemo()
  const playsPerson = process.argv.includes('--demo')
  const open = (url: URL) => (playsPerson ? decideForDemo(place, url) : openForPerson(place, url))
  const client = await connect(place, open)
  await callTools(client)
  await client.close()
  say(`Done. To end the connection: DELETE ${place.dashboardUrl}/api/connections/{id}.`)
}

main().catch((error: unknown) => {
  const { message, cause } = error as Error
  const isDown = (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
  console.error(isDown ? 'The service does not answer. Is npm start running?' : message)
  process.exitCode = 1
})
