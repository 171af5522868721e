import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import { argumentsOf, errorOf, type Json, message, post, resultOf } from '../kit/agents.ts'
import { bearer, givenScene, type Scene, send, validCall } from './fixtures.ts'
import {
  type Call,
  declarationOf,
  everyWayTo,
  inWorkspace,
  operationIds,
  resourceNames,
  rows,
  waysTo,
} from './operations.ts'
import { startService, type TestService } from '../kit/service.ts'

const tools = readTools()

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Every operation that REST and agents share; get_account is only a tool. */
const shared = operationIds.filter(
  (id) => everyWayTo(id).some((way) => way.tool) && waysTo(id).length > 0,
)

/** An answer, with the names in which twins differ replaced by their order of appearance. */
interface Answer {
  status: number
  json: unknown
}

/** Ids, credentials, and names made up by the fixtures. */
const ownNames = new RegExp(
  [
    String.raw`\b[a-z]+_[0-9A-Za-z]{20,}\b`,
    String.raw`\bws[a-z]_dev_[\w-]{49}`,
    String.raw`\bc[0-9a-z]+-[\w-]{12}(?=")`,
    String.raw`\b[a-z]+-${process.pid.toString(36)}-[0-9a-z]+\b`,
  ].join('|'),
  'g',
)

function answerOf(status: number, json: unknown): Answer {
  const seen = new Map<string, string>()
  const text = JSON.stringify(json).replace(ownNames, (name) => {
    const alias = seen.get(name) ?? `${name.split(/[_-]/)[0]!}#${seen.size}`
    seen.set(name, alias)
    return alias
  })
  // The slug of a taken name ends with part of the id.
  const plain = text
    .replace(/("slug":"[^"]+-)[0-9a-z]{8}"/g, '$1"')
    // Who did it is a key in one of them, and an agent in the other.
    .replace(/"type":"(API_KEY|AGENT)","name":"(key|agent)#/g, '"type":"CONNECTION","name":"#')
  return { status, json: JSON.parse(plain) as unknown }
}

/** One of two owners with equal workspaces: one calls over REST, one as an agent. */
interface Twin {
  scene: Scene
  call: Call
  ask(call: Call): Promise<Answer>
}

async function restTwin(id: OperationId): Promise<Twin> {
  const scene = await givenScene(service)
  const [way] = waysTo(id)
  const ask = async (call: Call) => {
    const { status, body } = await send(service, id, way!, call, bearer(scene.key))
    return answerOf(status, status < 400 ? asTool(id, body as Json) : asToolError(body as Json))
  }
  return { scene, call: await validCall(id, scene), ask }
}

/** What the contract says a tool answers of a whole resource. */
function asTool(id: OperationId, whole: Json): unknown {
  const { properties } = tools.find(({ name }) => name === id)!.outputSchema
  if (!operations[id].shortAnswer) return whole
  const tagIds = (whole.tags as { id: string }[]).map((tag) => tag.id)
  const members = { ...whole, tagIds }
  return Object.fromEntries(
    Object.keys(properties).map((name) => [name, members[name as keyof typeof members]]),
  )
}

/** REST's body is the argument `data` of a tool. */
function asToolError({ fieldErrors, ...rest }: Json): Json {
  if (!fieldErrors) return rest
  const { body, ...fields } = fieldErrors as Json
  return { ...rest, fieldErrors: body === undefined ? fields : { data: body, ...fields } }
}

async function agentTwin(id: OperationId): Promise<Twin> {
  const scene = await givenScene(service)
  const { token } = await service.givenAgent(scene.owner)
  const ask = async (call: Call) => {
    const params = { name: id, arguments: argumentsOf(id, call) }
    const response = await post(service, message('tools/call', params), bearer(token))
    return answerOfTool(id, response)
  }
  return { scene, call: await validCall(id, scene), ask }
}

function answerOfTool(id: OperationId, response: Response): Answer {
  if (response.status !== 200) return answerOf(response.status, response.body)
  const result = resultOf(response)
  if (!result.isError) return answerOf(rows[id].status, result.structuredContent)
  const error = errorOf(response)
  return answerOf(error.status, error)
}

/** Makes a call invalid; undefined if it does not apply. */
type Spoil = (call: Call) => Call | undefined

const withBody = (change: (body: Json) => unknown): Spoil => {
  return (call) => {
    const { body } = call
    const plain = typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
    return plain ? { ...call, body: change(body as Json) } : undefined
  }
}

const spoilsOf = (id: OperationId): Record<string, Spoil> => {
  const [resource] = resourceNames(id)
  const within = inWorkspace(id)
  const lists = declarationOf(id).parameters.some((parameter) => parameter.name === 'pageSize')
  const path = (applies: unknown, change: Call['path']): Spoil => {
    return (call) => (applies ? { ...call, path: { ...call.path, ...change } } : undefined)
  }
  const query = (change: Call['query']): Spoil => {
    return (call) => (lists ? { ...call, query: { ...call.query, ...change } } : undefined)
  }
  return {
    // Of the right form: a tool says more about what cannot be an id.
    'an id that does not exist': (call) => {
      if (!resource) return undefined
      const kind = call.path[resource]!.replace(/_.*/, '')
      return path(true, { [resource]: `${kind}_${'0'.repeat(26)}` })(call)
    },
    'an id that is too long': path(resource, { [resource ?? '']: 'x'.repeat(161) }),
    'a workspace that does not exist': path(within, { workspaceId: `ws_${'0'.repeat(26)}` }),
    'a workspace id that is too long': path(within, { workspaceId: 'w'.repeat(161) }),
    'an unknown filter': query({ colour: 'red' }),
    'a page that is out of range': query({ page: '0', pageSize: '101' }),
    'a page in words': query({ page: 'one' }),
    'a body without its fields': withBody(() => ({})),
    'a body with an unknown field': withBody((body) => ({ ...body, colour: 'red' })),
    'a body whose fields are lists': withBody((body) =>
      Object.fromEntries(Object.keys(body).map((name) => [name, [[]]])),
    ),
    'a body whose fields are null': withBody((body) =>
      Object.fromEntries(Object.keys(body).map((name) => [name, null])),
    ),
    'a body with half a character': withBody((body) => ({ ...body, name: '\ud800' })),
    'a body that is a list': withBody(() => []),
  }
}

describe.each(shared)('%s', (id) => {
  let rest: Twin
  let agent: Twin
  const meetTwins = async () => {
    rest = await restTwin(id)
    agent = await agentTwin(id)
  }
  // The same for all three, as refusals change nothing.
  beforeAll(meetTwins)

  test('refuses an agent like REST', async () => {
    const pairs: Record<string, [Answer, Answer]> = {}
    for (const [name, spoil] of Object.entries(spoilsOf(id))) {
      const [overRest, asTool] = [spoil(rest.call), spoil(agent.call)]
      if (!overRest || !asTool) continue
      pairs[name] = [await rest.ask(overRest), await agent.ask(asTool)]
    }
    const answers = Object.values(pairs)
    expect(answers.map(([, asTool]) => asTool)).toEqual(answers.map(([overRest]) => overRest))
    const refusals = answers.filter(([{ status }]) => status >= 400)
    expect(refusals.length > 0).toBe(id !== 'list_templates')
    // A call that succeeds may be valid only once.
    if (refusals.length < answers.length) await meetTwins()
  })

  test('answers an agent like REST', async () => {
    const answer = await rest.ask(rest.call)
    expect(answer.status).toBe(rows[id].status)
    expect(await agent.ask(agent.call)).toEqual(answer)
  })

  test('answers a repeated call alike', async () => {
    expect(await agent.ask(agent.call)).toEqual(await rest.ask(rest.call))
  })
})
