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
import { importTestClient } from '../../scripts/test_clients.mjs'
import type { Scope } from '../../src/generated/operations.ts'
import { type Browser, openBrowser } from './agent_flow.ts'
import type { Json } from './agents.ts'
import type { TestService } from './service.ts'

/** The common interface of all clients. */
export interface RealClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Json }): Promise<unknown>
  close(): Promise<void>
}

/** One attempt of a client to connect; a sign-in is followed by another attempt. */
export interface Attempt {
  client: RealClient
  connect(): Promise<void>
  /** Accepts the browser's callback parameters. */
  finish(answer: URLSearchParams): Promise<void>
}

export interface Library {
  name: string
  /** The error of a call that needs a person's consent first. */
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
 * After a 403 this client refreshes its token, which never adds scopes, instead of asking the
 * person. As a workaround its hosts hide the refresh token from it, and so does this.
 */
function steppingUp({ provider, tokens }: AgentLogin, fetch: typeof globalThis.fetch) {
  let lacksScope = false
  const narrowed: OAuthClientProvider = {
    ...provider,
    tokens() {
      const current = tokens()
      if (!current || !lacksScope) return current
      return { ...current, refresh_token: undefined }
    },
    saveTokens(newTokens) {
      lacksScope = false
      return provider.saveTokens(newTokens)
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

/** What is used of the AI SDK's client. */
interface AiSdk {
  auth: (provider: OAuthClientProvider, options: Record<string, unknown>) => Promise<unknown>
  createMCPClient: (options: { transport: Record<string, unknown> }) => Promise<RealClient>
}
const loadAiSdk = () => importTestClient('@ai-sdk/mcp') as Promise<AiSdk>

/** The client of the AI SDK; its host keeps the credentials as the other libraries' hosts do. */
export const aiSdk: Pick<Library, 'name' | 'attempt'> = {
  name: 'the client of the AI SDK',
  attempt(url, { provider }, fetch) {
    let client: RealClient
    return {
      client: {
        listTools: () => client.listTools(),
        callTool: (params) => client.callTool(params),
        close: () => client.close(),
      },
      async connect() {
        const { createMCPClient } = await loadAiSdk()
        client = await createMCPClient({
          transport: { type: 'http', url: url.href, authProvider: provider, fetch },
        })
      },
      async finish(answer) {
        const { auth } = await loadAiSdk()
        await auth(provider, {
          serverUrl: url,
          authorizationCode: answer.get('code') ?? '',
          callbackState: answer.get('state') ?? '',
          callbackIssuer: answer.get('iss') ?? '',
        })
      },
    }
  },
}

/** A person at a browser who decides on consent pages. */
export interface ConsentingPerson {
  /** Opens an agent's address, signs in if needed, decides and follows the redirect to the agent. */
  decide(url: URL): Promise<void>
  /** Scopes to uncheck on the next page; undefined denies everything. */
  withheld: Scope[] | undefined
  /** Scopes that the last page requested. */
  requested: string[]
}

/** Uses the pages without JavaScript. */
export function consentingPerson(service: TestService, email: string): ConsentingPerson {
  const browser = openBrowser(service)
  const person: ConsentingPerson = {
    withheld: [],
    requested: [],
    async decide(url) {
      const { location: page } = await browser.visit(url.href)
      let consentPage = await browser.visit(page)
      if (consentPage.body.includes('name="email"')) {
        await signIn(service, browser, page, email)
        consentPage = await browser.visit(page)
      }
      const checked = [...consentPage.body.matchAll(/name="scopes"\s+value="([^"]+)"\s+checked/g)]
      person.requested = checked.map(([, scope = '']) => scope)
      const { withheld, requested } = person
      const form = new URLSearchParams({ step: 'decide', decision: withheld ? 'allow' : 'deny' })
      for (const scope of requested)
        if (!withheld?.includes(scope as Scope)) form.append('scopes', scope)
      const onward = (await browser.visit(page, form)).body
      const [, next = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(onward) ?? []
      const { location } = await browser.visit(next.replaceAll('&amp;', '&'))
      await browser.visit(location)
    },
  }
  return person
}

async function signIn(service: TestService, browser: Browser, page: string, email: string) {
  const send = (fields: Record<string, string>) => browser.visit(page, new URLSearchParams(fields))
  await send({ step: 'code', email })
  await send({ step: 'session', email, code: await service.codeFor(email) })
}
