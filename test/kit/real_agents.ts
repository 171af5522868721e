import {
  Client,
  createPrivateKeyJwtAuth,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { createPrivateKeyJwtAuth as olderJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { AgentLogin } from '../../scripts/agent_login.ts'
import type { Scope } from '../../src/generated/operations.ts'
import { type Browser, openBrowser } from './agent_flow.ts'
import type { Json } from './agents.ts'
import type { TestService } from './service.ts'

/** What the clients have in common. */
export interface RealClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Json }): Promise<unknown>
  close(): Promise<void>
}

/** One attempt of a client to connect; after a sign-in it takes another. */
export interface Attempt {
  client: RealClient
  connect(): Promise<void>
  /** Takes the answer that a browser brought. */
  finish(answer: URLSearchParams): Promise<void>
}

export interface Library {
  name: string
  /** What a call fails with while a person is asked. */
  unauthorized: new () => Error
  signing: typeof createPrivateKeyJwtAuth
  attempt(url: URL, login: AgentLogin, fetch: typeof globalThis.fetch): Attempt
}

const info = { name: 'tests', version: '1.0.0' }

function newer(name: string, mode: 'legacy' | 'auto' | { pin: string }): Library {
  return {
    name,
    unauthorized: UnauthorizedError,
    signing: createPrivateKeyJwtAuth,
    attempt(url, { provider }, fetch) {
      const client = new Client(info, { versionNegotiation: { mode } })
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider, fetch })
      return {
        client,
        connect: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer),
      }
    },
  }
}

const older: Library = {
  name: 'the client of sdk 1',
  unauthorized: OlderUnauthorizedError,
  signing: olderJwtAuth,
  attempt(url, login, fetch) {
    const client = new OlderClient(info)
    const stepping = steppingUp(login, fetch)
    const transport = new OlderTransport(url, {
      authProvider: stepping.provider,
      fetch: stepping.fetch,
    })
    return {
      client,
      connect: () => client.connect(transport),
      finish: (answer) => transport.finishAuth(answer.get('code') ?? ''),
    }
  },
}

/**
 * After a 403 this client refreshes, which never widens a token, instead of asking the person. Its
 * hosts keep the refresh token from it meanwhile, and so does this.
 */
function steppingUp({ provider, tokens }: AgentLogin, fetch: typeof globalThis.fetch) {
  let lacksScope = false
  const narrowed: OAuthClientProvider = {
    ...provider,
    tokens() {
      const held = tokens()
      if (!held || !lacksScope) return held
      return { ...held, refresh_token: undefined }
    },
    saveTokens(given) {
      lacksScope = false
      return provider.saveTokens(given)
    },
  }
  return {
    provider: narrowed,
    fetch: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request)
      const challenge = response.headers.get('WWW-Authenticate') ?? ''
      if (challenge.includes('error="insufficient_scope"')) lacksScope = true
      return response
    },
  }
}

export const libraries: Library[] = [
  older,
  newer('the client of version 2, as of 2025', 'legacy'),
  newer('the client of version 2, negotiating', 'auto'),
  newer('the client of version 2, of 2026 alone', { pin: '2026-07-28' }),
]

/** Somebody at a browser who is shown consent pages. */
export interface ConsentingPerson {
  /** Opens an agent's address, signs in where asked, decides and follows to the agent. */
  decide(url: URL): Promise<void>
  /** What they tick off at the next page; undefined denies it all. */
  withheld: Scope[] | undefined
  /** What the last page asked for. */
  asked: string[]
}

/** Walks through the pages as they stand, without a script. */
export function visitorOf(service: TestService, email: string): ConsentingPerson {
  const browser = openBrowser(service)
  const visitor: ConsentingPerson = {
    withheld: [],
    asked: [],
    async decide(url) {
      const { location: page } = await browser.visit(url.href)
      let shown = await browser.visit(page)
      if (shown.body.includes('name="email"')) {
        await signIn(service, browser, page, email)
        shown = await browser.visit(page)
      }
      const ticked = [...shown.body.matchAll(/name="scopes" value="([^"]+)" checked/g)]
      visitor.asked = ticked.map(([, scope = '']) => scope)
      const { withheld, asked } = visitor
      const form = new URLSearchParams({ step: 'decide', decision: withheld ? 'allow' : 'deny' })
      for (const scope of asked)
        if (!withheld?.includes(scope as Scope)) form.append('scopes', scope)
      const onward = (await browser.visit(page, form)).body
      const [, next = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(onward) ?? []
      const { location } = await browser.visit(next.replaceAll('&amp;', '&'))
      await browser.visit(location)
    },
  }
  return visitor
}

async function signIn(service: TestService, browser: Browser, page: string, email: string) {
  const send = (fields: Record<string, string>) => browser.visit(page, new URLSearchParams(fields))
  await send({ step: 'code', email })
  await send({ step: 'session', email, code: await service.codeFor(email) })
}
