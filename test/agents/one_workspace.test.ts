import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import type { OperationId } from '../../src/operation.ts'
import { bearer, givenScene, type Scene, validCall } from '../every_operation/fixtures.ts'
import {
  type ConnectedAgent,
  consent,
  decide,
  type Decision,
  openBrowser,
  openRequest,
  registerAgent,
} from '../kit/agent_flow.ts'
import {
  argumentsOf,
  errorOf,
  handshakeOf,
  type Json,
  message,
  post,
  resultOf,
} from '../kit/agents.ts'
import { allScopes, type Person, startService, type TestService } from '../kit/service.ts'

let service: TestService
let scene: Scene
/** Another workspace of the same owner, which the agent is limited to. */
let only: { id: string }
let limited: string
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
  only = await service.givenWorkspace(scene.owner)
  limited = (await connect(scene.owner, { workspaceId: only.id })).accessToken
})
afterAll(() => service.close())

async function connect(person: Person, choice: Partial<Decision>): Promise<ConnectedAgent> {
  const agent = await registerAgent(service)
  const pending = await agent.begin({ scope: allScopes.join(' ') })
  const callback = await consent(service, person, pending, { decision: 'allow', ...choice })
  const tokens = await agent.exchange(pending, callback)
  return {
    agent,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
    scope: tokens.scope ?? '',
  }
}

const call = (token: string, name: string, args: Json) =>
  post(service, message('tools/call', { name, arguments: args }), bearer(token))

async function toolNames(token: string): Promise<string[]> {
  const { body } = await post(service, message('tools/list'), bearer(token))
  return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)
}

async function listed(token: string) {
  const { structuredContent } = resultOf(await call(token, 'list_workspaces', {}))
  return structuredContent as { workspaces: { id: string }[]; creationPolicy: Json }
}

const workspaceTools = readTools()
  .filter(({ inputSchema }) => 'workspaceId' in inputSchema.properties)
  .map(({ name }) => name as OperationId)

describe('an agent of one workspace', () => {
  test('sees that one alone', async () => {
    const { workspaces, creationPolicy } = await listed(limited)
    expect(workspaces.map(({ id }) => id)).toEqual([only.id])
    expect(creationPolicy).toEqual({ limit: 10, owned: 2, canCreate: false })
    resultOf(await call(limited, 'get_workspace', { workspaceId: only.id }))
  })

  const beyond = {
    status: 403,
    code: 'not_owner',
    message: 'This connection is limited to one workspace: it can neither use nor create another.',
  }

  test.each(workspaceTools)('is refused %s elsewhere, whoever owns it', async (name) => {
    const args = argumentsOf(name, await validCall(name, scene))
    expect(errorOf(await call(limited, name, args))).toEqual(beyond)
    const foreign = { ...args, workspaceId: 'ws_unknown' }
    expect(errorOf(await call(limited, name, foreign))).toEqual(beyond)
  })

  test('creates no workspace and is not offered to', async () => {
    const args = argumentsOf('create_workspace', await validCall('create_workspace', scene))
    expect(errorOf(await call(limited, 'create_workspace', args))).toEqual(beyond)
    const all = readTools().map(({ name }) => name)
    const offered = await toolNames(limited)
    expect(all.filter((name) => !offered.includes(name))).toEqual(['create_workspace'])
    const { body } = await post(service, message('initialize', handshakeOf()), bearer(limited))
    expect(JSON.stringify(body)).toContain(`serves the workspace ${only.id} alone`)
  })

  test('keeps its limit when it refreshes, and loses everything with the workspace', async () => {
    const owner = await service.givenPerson()
    const [first, second] = [
      await service.givenWorkspace(owner),
      await service.givenWorkspace(owner),
    ]
    const { agent, refreshToken } = await connect(owner, { workspaceId: first.id })
    const { access_token: token } = await agent.refresh(refreshToken)
    expect((await listed(token)).workspaces.map(({ id }) => id)).toEqual([first.id])
    await service.db
      .updateTable('members')
      .set({ status: 'SUSPENDED' })
      .where('workspace_id', '=', first.id)
      .execute()
    expect((await listed(token)).workspaces).toEqual([])
    const refusals = [first, second].map(async ({ id }) =>
      errorOf(await call(token, 'get_workspace', { workspaceId: id })),
    )
    expect(await Promise.all(refusals)).toEqual([
      { ...beyond, message: 'You are not an active owner of this workspace.' },
      beyond,
    ])
  })

  test('is shown with its workspace among the connections', async () => {
    const owner = await service.givenPerson()
    const { id } = await service.givenWorkspace(owner)
    await connect(owner, {})
    await connect(owner, { workspaceId: id })
    const { body } = await service.dashboard(owner).get('/api/connections').expect(200)
    const connections = body.connections as { workspaceId: string | null }[]
    expect(connections.map(({ workspaceId }) => workspaceId)).toEqual([id, null])
  })
})

describe('the decision', () => {
  const pageOf = (requestId: string) => `${service.config.dashboardUrl}/consent/${requestId}`

  async function givenRequest() {
    const agent = await registerAgent(service)
    const authorization = await agent.begin({ scope: allScopes.join(' ') })
    const browser = openBrowser(service)
    const requestId = await openRequest(browser, authorization)
    return { agent, authorization, browser, requestId }
  }

  test('is between the workspaces that the person owns', async () => {
    const person = await service.givenPerson()
    const { id, name } = await service.givenWorkspace(person)
    await service.db
      .insertInto('members')
      .values({
        id: `mem_${person.accountId}`,
        workspace_id: scene.workspace.id,
        account_id: person.accountId,
        email: person.email,
        role: 'staff',
        status: 'ACTIVE',
        created_at: service.now(),
      })
      .execute()
    const { requestId } = await givenRequest()
    const path = `/api/consent/${requestId}`
    const { body } = await service.dashboard(person).get(path).expect(200)
    expect(body.workspaces).toEqual([{ id, name }])
    for (const workspaceId of [scene.workspace.id, 'ws_unknown']) {
      const refusal = await service
        .dashboard(person)
        .post(path)
        .send({ decision: 'allow', workspaceId })
      expect([refusal.status, refusal.body.fieldErrors]).toEqual([
        400,
        { workspaceId: 'You do not own this workspace.' },
      ])
    }
  })

  test.each(['allow', 'read'])('%s is limited by the choice on the page', async (decision) => {
    const person = await service.givenPerson()
    const { id } = await service.givenWorkspace(person)
    const { agent, authorization, browser, requestId } = await givenRequest()
    browser.signIn(person)
    const page = await browser.visit(pageOf(requestId))
    expect(page.body).toContain(`<option value="${id}"`)
    const form = new URLSearchParams({ step: 'decide', decision, workspaceId: id })
    form.append('scopes', 'workspaces:read')
    const { body } = await browser.visit(pageOf(requestId), form)
    const [, next = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(body) ?? []
    const { location } = await browser.visit(next.replaceAll('&amp;', '&'))
    const { access_token: token } = await agent.exchange(authorization, new URL(location))
    await service.givenWorkspace(person)
    expect((await listed(token)).workspaces.map((workspace) => workspace.id)).toEqual([id])
  })

  test('taken twice at once belongs to its ticket', async () => {
    const person = await service.givenPerson()
    const ids = [
      (await service.givenWorkspace(person)).id,
      (await service.givenWorkspace(person)).id,
    ]
    const { agent, authorization, browser, requestId } = await givenRequest()
    const choices = ids.map((workspaceId) =>
      decide(service, person, requestId, { decision: 'allow', workspaceId }),
    )
    const completed: string[] = []
    for (const [index, redirectTo] of (await Promise.all(choices)).entries()) {
      const { status, location } = await browser.visit(redirectTo)
      if (status !== 303) continue
      const { access_token: token } = await agent.exchange(authorization, new URL(location))
      expect((await listed(token)).workspaces.map(({ id }) => id)).toEqual([ids[index]])
      completed.push(location)
    }
    expect(completed).toHaveLength(1)
  })
})
