import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import baseline from '../../scripts/conformance/baseline.json' with { type: 'json' }
import { startFixtures } from '../../scripts/conformance/fixtures.ts'
import { startProxy } from '../../scripts/conformance/proxy.ts'
import {
  type Check,
  checkAuthorizationServer,
  checkEndpoint,
  type Checks,
  judge,
  type Revision,
  suites,
  type Target,
} from '../../scripts/conformance/suites.ts'
import type { Origin } from '../../src/surfaces/origin.ts'
import { registerAgent } from '../kit/agent_flow.ts'
import { freePorts } from '../kit/free_ports.ts'
import { consentingPerson } from '../kit/real_agents.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

/** The suites are slow: mostly they wait for streams that the older generation may open. */
const patience = 300_000

let service: TestService
/** The service's endpoint with the tools and resources that the suites expect by name. */
let fixtures: Origin
const proxies = new Map<Target, Server>()
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  const { config, db } = service
  fixtures = await startFixtures({ config, db, clock: () => service.now() })
  const { token } = await service.givenAgent(await service.givenPerson())
  const { port } = fixtures.server.address() as AddressInfo
  const targets = { service: config.baseUrl, fixtures: `http://127.0.0.1:${port}` }
  for (const [target, url] of Object.entries(targets))
    proxies.set(target as Target, await startProxy(new URL(url), token))
})
afterAll(async () => {
  for (const proxy of proxies.values()) {
    proxy.closeAllConnections()
    proxy.close()
  }
  await fixtures.drain()
  await service.close()
})

describe.each(Object.keys(suites) as Revision[])('the official suite of %s', (revision) => {
  test.each<Target>(['service', 'fixtures'])(
    'finds no failure in the %s that the baseline does not explain',
    async (target) => {
      const { port } = proxies.get(target)!.address() as AddressInfo
      const checks = await checkEndpoint(revision, `http://localhost:${port}/mcp`)
      const { problems, figures } = judge(target, revision, checks)
      console.log(figures)
      expect(problems).toEqual([])
    },
    patience,
  )
})

describe('the official suite of authorization servers', () => {
  test(
    'passes, including the person at the consent page',
    async () => {
      const [port] = await freePorts()
      const agent = await registerAgent(service, {
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
      })
      const visitor = consentingPerson(service, `${unique('person')}@example.com`)
      const { baseUrl } = service.config
      const options = { clientId: agent.client.client_id, port, resource: `${baseUrl}/mcp` }
      const checks = await checkAuthorizationServer(baseUrl, options, (url) => visitor.decide(url))
      const outcomes = [...checks].map(([scenario, results]) => [
        scenario,
        results.map(({ status, errorMessage }) => errorMessage ?? status),
      ])
      expect(Object.fromEntries(outcomes)).toEqual({
        'authorization-code-grant': ['SUCCESS'],
        'authorization-server-metadata-endpoint': ['SUCCESS', 'SUCCESS'],
      })
    },
    patience,
  )
})

describe('the verdict on a run', () => {
  const revision = '2025-11-25'
  const passed = (id: string) => ({ id, status: 'SUCCESS' })
  const failed = (id: string) => ({ id, status: 'FAILURE', errorMessage: 'not so' })
  /** A run with exactly the failures that the baseline expects, plus the given changes. */
  function problemsOf(changes: Record<string, Check[] | undefined>): string[] {
    const entries = Object.values(baseline.everywhere[revision]).flat()
    const checks: Checks = new Map(entries.map((name) => [name, [failed('check')]]))
    for (const [scenario, results] of Object.entries(changes)) {
      if (results) checks.set(scenario, results)
      else checks.delete(scenario)
    }
    return judge('fixtures', revision, checks).problems
  }

  test('is good if only the failures in the baseline occur', () => {
    expect(problemsOf({ ping: [passed('ping')] })).toEqual([])
  })

  test.each<[string, Record<string, Check[] | undefined>, string]>([
    ['fails beyond the baseline', { ping: [failed('ping')] }, 'ping ping: not so'],
    ['checks nothing', { ping: [] }, 'ping: nothing passed'],
    [
      'passes in spite of it',
      { 'logging-set-level': [passed('check')] },
      'logging-set-level passes: remove it from the baseline',
    ],
    ['is not run', { 'logging-set-level': undefined }, 'logging-set-level: was not run'],
  ])('names a scenario that %s', (_what, changes, problem) => {
    expect(problemsOf(changes)).toContain(problem)
  })

  test('names a check that passes while others of its scenario still fail', () => {
    const results = [passed('sep-2575-missing-capability-http-400'), failed('another')]
    const { problems } = judge('fixtures', '2026-07-28', new Map([['server-stateless', results]]))
    expect(problems).toEqual(
      expect.arrayContaining([
        'server-stateless another: not so',
        'server-stateless sep-2575-missing-capability-http-400 passes: remove it from the baseline',
      ]),
    )
  })
})
