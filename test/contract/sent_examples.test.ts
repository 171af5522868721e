import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { formOf } from '../every_operation/fixtures.ts'
import { withCredits } from '../every_operation/resources.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

type Json = Record<string, unknown>

interface Parameter {
  name: string
  in: string
  required?: boolean
  example?: unknown
}

interface Operation {
  operationId: string
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  status: number
  parameters: Parameter[]
  body: { type: string; example: Json | undefined } | undefined
  answer: Json | undefined
}

let service: TestService
let owner: Person
let key: string
let operations: Operation[]
/** What a reader puts in place of an example: real ids, the code of a mail, an upload's token. */
const own = new Map<string, string>()
const visitor: Record<string, string> = {}

beforeAll(async () => {
  service = await startService()
  owner = await service.givenPerson()
  ;({ key } = await service.givenKey(owner))
  const workspace = await service.givenWorkspace(owner)
  own.set(exampleId('ws'), workspace.id)
  // The challenge is for a person to solve; without it, every example is sent as it stands.
  const website = { accessPolicy: { challenge: 'OFF', customerDailyRequests: 30 } }
  await service.api(key).put(`/v1/workspaces/${workspace.id}/website`).send(website).expect(200)
  for (let calls = 0; calls < 3; calls++)
    await withCredits(() => Promise.resolve({}))({ service, owner, workspace })
  operations = operationsOf((await service.api().get('/v1/openapi.json').expect(200)).body as Json)
})
afterAll(() => service.close())

const exampleId = (prefix: string) => `${prefix}_01k9x5wd8ceq9s2m4h0v3t7b1n`

/** Every operation of the public document, with its examples. */
function operationsOf(document: Json): Operation[] {
  const resolve = <T>(node: unknown): T => {
    const { $ref } = (node ?? {}) as { $ref?: string }
    if ($ref === undefined) return node as T
    return resolve(
      $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => (at as Json)[name], document),
    )
  }
  const exampleOf = (media: unknown) => {
    const [example] = Object.values((media as { examples?: Json } | undefined)?.examples ?? {})
    return resolve<{ value: Json } | undefined>(example)?.value
  }
  return Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'delete'] as const).flatMap((method) => {
      const source = item[method] as Json | undefined
      if (!source) return []
      const listed = [item.parameters, source.parameters].flatMap((list) => list ?? [])
      const content = (source.requestBody as { content?: Json } | undefined)?.content
      const [type] = Object.keys(content ?? {}).sort(
        (a, b) => Number(b === 'image/png') - Number(a === 'image/png'),
      )
      const responses = source.responses as Record<string, Json>
      const status = Object.keys(responses).find((each) => each.startsWith('2'))!
      const json = (responses[status]!.content as Json | undefined)?.['application/json']
      return [
        {
          operationId: source.operationId as string,
          method,
          path,
          status: Number(status),
          parameters: listed.map((parameter) => resolve<Parameter>(parameter)),
          body: type === undefined ? undefined : { type, example: exampleOf(content![type]) },
          answer: exampleOf(json),
        },
      ]
    }),
  )
}

/** A text of the document with the reader's own values in it. */
function filled(text: string): string {
  return [...own].reduce((whole, [example, value]) => whole.replaceAll(example, value), text)
}

/** Sends what try-it-out sends: each example, for the visitor whose credential was pasted. */
async function send({ operationId, method, path, parameters, body }: Operation) {
  const values = new Map(parameters.map(({ name, example }) => [name, example]))
  const shown = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.example !== undefined)
      .map(({ name, example }): [string, string] => [name, String(example)])
  const query = new URLSearchParams(shown('query')).toString()
  const target =
    path.replace(/\{(\w+)\}/g, (_all, name: string) => String(values.get(name))) +
    (query && `?${query}`)
  const sent = request(service.urls.api)
    [method](filled(target))
    .set({ Authorization: `Bearer ${key}`, ...Object.fromEntries(shown('header')) })
    .set(path.includes('/experience/') ? visitor : {})
  if (body === undefined) return sent
  const picture = Buffer.from(String(bodyOf('upload_media').base64), 'base64')
  if (body.type === 'multipart/form-data') {
    const parts = formOf(operationId as OperationId)
    return sent.set(parts.headers).send(parts.body as never)
  }
  if (body.type !== 'application/json') return sent.type(body.type).send(picture as never)
  return sent.type('json').send(filled(JSON.stringify(body.example)))
}

const named = (id: string) => operations.find(({ operationId }) => operationId === id)!
const bodyOf = (id: string) => named(id).body?.example ?? {}

/** What the reader learns from an answer for the calls after it. */
const learnt: Record<string, (answer: Json) => void | Promise<void>> = {
  create_product: ({ id }) => void own.set(exampleId('prod'), String(id)),
  create_collection: ({ id }) => void own.set(exampleId('coll'), String(id)),
  create_tag: ({ id }) => void own.set(exampleId('tag'), String(id)),
  create_domain: ({ id }) => void own.set(exampleId('dom'), String(id)),
  create_webhook: ({ id }) => void own.set(exampleId('wh'), String(id)),
  test_webhook: ({ id }) => void own.set(exampleId('msg'), String(id)),
  create_change_set: ({ id }) => void own.set(exampleId('cs'), String(id)),
  // One that can still be cancelled.
  undo_change_set: async () => {
    const { body } = await send(named('create_change_set'))
    own.set(exampleId('cs'), String((body as Json).id))
  },
  upload_media: ({ id }) => void own.set(exampleId('med'), String(id)),
  create_media_upload: ({ url }) => void own.set(exampleOfToken(), String(url).split('/').at(-1)!),
  request_customer_code: async () => {
    const { email } = bodyOf('request_customer_code')
    own.set(String(bodyOf('verify_customer_code').code), await service.codeFor(String(email)))
  },
  verify_customer_code: ({ token }) => void (visitor['X-Visitor-Token'] = String(token)),
  // Only who is signed in can be deleted.
  log_out_customer: async () => {
    delete visitor['X-Visitor-Token']
    service.advance(61_000)
    await send(named('request_customer_code'))
    await learnt.request_customer_code!({})
    await learnt.verify_customer_code!((await send(named('verify_customer_code'))).body as Json)
  },
  chat_about_product: async ({ threadId }) => {
    own.set(exampleOf('delete_thread', 'threadId'), String(threadId))
    for (const message of ['Is it made in Peru?', 'Is it made in Chile?']) await ask(message)
    await learnQuestion()
  },
  answer_question: async ({ id }) => {
    own.set(exampleOf('update_question_reply', 'id'), String(id))
    await learnQuestion()
  },
}

/** Asks what the example of a product does not say. */
async function ask(message: string): Promise<void> {
  const chat = named('chat_about_product')
  const example = { ...chat.body!.example, message }
  const { status } = await send({ ...chat, body: { type: 'application/json', example } })
  expect(status).toBe(200)
}

async function learnQuestion(): Promise<void> {
  const { body } = await send(named('list_unanswered_questions'))
  own.set(exampleId('qst'), (body as { questions: { id: string }[] }).questions[0]!.id)
}

const exampleOf = (id: string, parameter: string) =>
  String(named(id).parameters.find(({ name }) => name === parameter)!.example)

const exampleOfToken = () => exampleOf('complete_media_upload', 'token')

/** Calls that come first, because others need what they make; deletions come last. */
const first = [
  'get_bootstrap',
  'create_tag',
  'create_product',
  'update_product',
  'add_product_tag',
  'create_domain',
  'create_webhook',
  'test_webhook',
  'create_change_set',
  'plan_change_set',
  'apply_change_set',
  'undo_change_set',
  'create_collection',
  'add_collection_product',
  'add_collection_tag',
  'upload_media',
  'create_media_upload',
  'request_customer_code',
  'verify_customer_code',
  'chat_about_product',
]

function rankOf({ operationId }: Operation): number {
  if (first.includes(operationId)) return first.indexOf(operationId)
  const last = [
    /^remove_/,
    /^delete_question_/,
    /^delete_(?!customer)/,
    /^log_out_/,
    /^delete_customer$/,
  ]
  return first.length + 1 + last.findIndex((name) => name.test(operationId))
}

describe('the examples of the public document', () => {
  test('succeed when they are sent, each call once, with a key and real ids', async () => {
    const outcomes: Record<string, string> = {}
    const ordered = operations.toSorted((a, b) => rankOf(a) - rankOf(b))
    for (const operation of ordered) {
      const { operationId } = operation
      const { status, text, body } = await send(operation)
      outcomes[operationId] = status < 400 ? String(status) : `${status} ${text}`
      if (status < 300) await learnt[operationId]?.(body as Json)
    }
    expect(outcomes).toEqual(
      Object.fromEntries(ordered.map(({ operationId, status }) => [operationId, String(status)])),
    )
  })

  test('need nothing pasted for lists: a list finds what is there', async () => {
    delete visitor['X-Visitor-Token']
    const product: Json = { ...bodyOf('create_product'), status: 'ACTIVE' }
    const at = filled(`/v1/workspaces/${exampleId('ws')}`)
    await service.api(key).post(`${at}/products`).send(product).expect(200)
    for (const id of ['list_products', 'list_published_products']) {
      const { body } = await send(named(id))
      expect([id, (body as { products: Json[] }).products.map(({ name }) => name)]).toEqual([
        id,
        [product.name],
      ])
    }
  })

  test('answer what their request asks for', () => {
    const differences = operations.flatMap(({ operationId, body, answer }) =>
      body?.example && answer
        ? differencesOf(body.example, answer).map((field) => `${operationId} ${field}`)
        : [],
    )
    expect(differences).toEqual([])
  })
})

/** The fields of a request that its answer has with another value. */
function differencesOf(sent: Json, answered: Json): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    if (!(name in answered)) return []
    const other = answered[name]
    if (value !== null && typeof value === 'object')
      return differencesOf(value as Json, other as Json).map((inner) => `${name}.${inner}`)
    return value === other ? [] : [name]
  })
}
