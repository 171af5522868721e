import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CompletionRequest,
  createLanguageModel,
} from '../../../src/adapters/language_model.ts'
import { ModelFailed } from '../../../src/adapters/models/failures.ts'
import { aiProviders } from '../../../src/settings/ai_provider.ts'
import type { AiSettings } from '../../../src/settings/config.ts'
import {
  type Behaviour,
  type ChatRequest,
  type ModelServer,
  startModelServer,
} from '../../kit/peers/model_server.ts'

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.seen.length = 0
  server.behave({ says: { response: 'Yes.' } })
})

function settings(changes: Partial<AiSettings> = {}): AiSettings {
  return {
    provider: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: 'the key of the test',
    fastModel: 'swift',
    comprehensiveModel: 'deep',
    timeoutSeconds: 20,
    reasoning: true,
    responseFormat: 'auto',
    tools: 'auto',
    ...changes,
  }
}

function request(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    system: 'The rules.',
    messages: [{ role: 'user', text: 'Is it vegan?' }],
    thinkingLevel: 'LOW',
    schema: {
      type: 'object',
      properties: { response: { type: 'string' } },
      required: ['response'],
      additionalProperties: false,
    },
    ...changes,
  }
}

async function failureOf(behaviour: Behaviour, changes: Partial<AiSettings> = {}) {
  server.behave(behaviour)
  const failed = await createLanguageModel(settings(changes))
    .complete(request())
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(failed).toBeInstanceOf(ModelFailed)
  const { failure, message } = failed as ModelFailed
  return { failure, message, requests: server.seen.length }
}

describe('a tool of the model', () => {
  const search = {
    name: 'search',
    description: 'Finds things.',
    schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    maxCalls: 1,
  }
  const calls = [{ name: 'search', input: { query: 'roses' } }]

  test('runs before the answer, within the same call', async () => {
    const inputs: unknown[] = []
    const run = (input: unknown) => {
      inputs.push(input)
      return Promise.resolve('Found.')
    }
    server.behave({ calls }, { says: { response: 'Yes.' } })
    const model = createLanguageModel(settings())
    const answer = await model.complete(request({ tool: { ...search, run } }))
    expect(answer.value).toEqual({ response: 'Yes.' })
    expect(answer.usage).toEqual({ inputTokens: 642, outputTokens: 90 })
    expect(inputs).toEqual([{ query: 'roses' }])
    expect(server.seen[0]!.body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'search', description: 'Finds things.', parameters: search.schema },
      },
    ])
    expect(server.seen[1]!.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Found.' })
  })

  test('that fails fails the call, and the model learns nothing of it', async () => {
    const fault = new Error('The address of the database')
    const run = () => Promise.reject(fault)
    server.behave({ calls }, { says: { response: 'Yes.' } })
    const model = createLanguageModel(settings())
    await expect(model.complete(request({ tool: { ...search, run } }))).rejects.toBe(fault)
    expect(JSON.stringify(server.seen)).not.toContain('The address of the database')
  })
})

test('an objection and its second answer share one time limit', async () => {
  server.behave({ says: { response: 'Bad.' } }, 'hangs')
  const model = createLanguageModel(settings({ timeoutSeconds: 1 }))
  const objectionTo = () => 'Again.'
  const failed = model.complete(request({ objectionTo }))
  await expect(failed).rejects.toMatchObject({ failure: 'timeout' })
  expect(server.seen).toHaveLength(2)
})

describe('a call of the model', () => {
  test('makes one request and returns value, model and tokens', async () => {
    const answer = await createLanguageModel(settings()).complete(request())
    expect(answer).toEqual({
      value: { response: 'Yes.' },
      modelKey: 'openai-compatible/swift',
      usage: { inputTokens: 321, outputTokens: 45 },
    })
    expect(server.seen).toHaveLength(1)
    const { path, body } = server.seen[0]!
    expect(path).toBe('/v1/chat/completions')
    expect(body.model).toBe('swift')
    expect(body.messages).toEqual([
      { role: 'system', content: 'The rules.' },
      { role: 'user', content: 'Is it vegan?' },
    ])
    expect(body.response_format).toEqual({ type: 'json_object' })
    expect(body.max_tokens).toBe(2000)
  })

  test('sends the key in its header and nowhere else', async () => {
    await createLanguageModel(settings()).complete(request())
    const { headers, body } = server.seen[0]!
    expect(headers.authorization).toBe('Bearer the key of the test')
    const others = { ...headers, authorization: undefined, body }
    expect(JSON.stringify(others)).not.toContain('the key of the test')
  })

  test.each([
    ['LOW', 'swift', 'low'],
    ['MEDIUM', 'deep', 'medium'],
    ['HIGH', 'deep', 'high'],
  ] as const)('of level %s asks the model %s with effort %s', async (level, model, effort) => {
    await createLanguageModel(settings()).complete(request({ thinkingLevel: level }))
    expect(server.seen[0]!.body.model).toBe(model)
    expect(server.seen[0]!.body.reasoning_effort).toBe(effort)
  })

  test('sends no effort to models that do not support it', async () => {
    await createLanguageModel(settings({ reasoning: false })).complete(request())
    expect(server.seen[0]!.body).not.toHaveProperty('reasoning_effort')
  })

  test('passes pictures with their message', async () => {
    const picture = { bytes: Buffer.from('a picture'), mimeType: 'image/png' }
    await createLanguageModel(settings()).complete(
      request({ messages: [{ role: 'user', text: 'Look.', pictures: [picture] }] }),
    )
    expect(server.seen[0]!.body.messages[1]!.content).toEqual([
      { type: 'text', text: 'Look.' },
      {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${picture.bytes.toString('base64')}` },
      },
    ])
  })
})

describe('a model that fails', () => {
  test('by hanging times out', async () => {
    expect(await failureOf('hangs', { timeoutSeconds: 0.3 })).toEqual({
      failure: 'timeout',
      message: 'No whole answer came within the time limit.',
      requests: 1,
    })
  })

  test.each([500, 429, 401])('with %s is not retried and not quoted', async (status) => {
    expect(await failureOf({ status })).toEqual({
      failure: 'unavailable',
      message: `The provider answered ${status}.`,
      requests: 1,
    })
  })

  test('by closing the connection is unavailable', async () => {
    const { failure, requests } = await failureOf('closes')
    expect({ failure, requests }).toEqual({ failure: 'unavailable', requests: 1 })
  })

  test('by breaking off its answer is unavailable', async () => {
    const { failure, requests } = await failureOf('breaks off')
    expect({ failure, requests }).toEqual({ failure: 'unavailable', requests: 1 })
  })

  test('by answering outside the protocol misbehaves', async () => {
    expect(await failureOf({ body: '<html>Bad gateway</html>' })).toEqual({
      failure: 'misbehaved',
      message: 'The answer is none of the protocol.',
      requests: 1,
    })
  })

  test('by answering with prose instead of the schema misbehaves', async () => {
    expect(await failureOf({ says: 'Sure, it is vegan!' })).toEqual({
      failure: 'misbehaved',
      message: 'The answer has another shape (stop).',
      requests: 1,
    })
  })

  test('by exceeding the size limit misbehaves, even if the answer is otherwise valid', async () => {
    const message = { role: 'assistant', content: '{"response":"Yes."}' }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(await failureOf({ body: ' '.repeat(4 * 1024 * 1024) + body })).toEqual({
      failure: 'misbehaved',
      message: 'The answer is none of the protocol.',
      requests: 1,
    })
  })

  test('by the content filter of its provider has refused', async () => {
    const { failure, requests } = await failureOf({ says: '', finish: 'content_filter' })
    expect({ failure, requests }).toEqual({ failure: 'refused', requests: 1 })
  })

  test('by being unreachable is unavailable', async () => {
    const stopped = await startModelServer()
    await stopped.close()
    const { failure, requests } = await failureOf({ status: 500 }, { baseUrl: stopped.baseUrl })
    expect({ failure, requests }).toEqual({ failure: 'unavailable', requests: 0 })
  })

  test('after its caller gave up is aborted', async () => {
    server.behave('hangs')
    const controller = new AbortController()
    const call = createLanguageModel(settings()).complete(request(), controller.signal)
    controller.abort()
    await expect(call).rejects.toMatchObject({ failure: 'aborted' })
  })
})

/** Servers that speak the protocol and refuse a part of it, in their own words. */
const refusing: [string, (body: ChatRequest) => string | undefined, object][] = [
  [
    'LM Studio, which has no JSON mode',
    (body) =>
      body.response_format?.type === 'json_object'
        ? "'response_format.type' must be 'json_schema' or 'text'"
        : undefined,
    { response_format: expect.objectContaining({ type: 'json_schema' }), tools: expect.any(Array) },
  ],
  [
    'Groq, which has no JSON mode together with tools',
    (body) =>
      body.response_format && body.tools
        ? 'json mode cannot be combined with tool/function calling'
        : undefined,
    { response_format: undefined, tools: expect.any(Array) },
  ],
  [
    'vLLM without tools',
    (body) =>
      body.tools ? '"auto" tool choice requires --enable-auto-tool-choice to be set' : undefined,
    { response_format: { type: 'json_object' }, tools: undefined },
  ],
  [
    'Ollama, with a model without tools',
    (body) => (body.tools ? 'registry.ollama.ai/library/x does not support tools' : undefined),
    { response_format: { type: 'json_object' }, tools: undefined },
  ],
  [
    'a model without reasoning',
    (body) => (body.reasoning_effort ? 'Unrecognized argument: reasoning_effort' : undefined),
    { reasoning_effort: undefined, tools: expect.any(Array) },
  ],
  [
    'a server that says nothing about what it refuses',
    (body) => (body.response_format || body.tools ? 'Bad request' : undefined),
    { response_format: undefined, tools: undefined },
  ],
]

describe('a server that refuses a part of the protocol', () => {
  const tool = {
    name: 'search',
    description: 'Finds things.',
    schema: { type: 'object', properties: {} },
    maxCalls: 1,
    run: () => Promise.resolve('Found.'),
  }

  test.each(refusing)('is asked without it: %s', async (_name, refusalOf, last) => {
    server.behave({ refusing: refusalOf, says: { response: 'Yes.' } })
    const model = createLanguageModel(settings())
    expect((await model.complete(request({ tool }))).value).toEqual({ response: 'Yes.' })
    const asked = server.seen.length
    expect(asked).toBeLessThanOrEqual(3)
    const { response_format, tools, reasoning_effort } = server.seen.at(-1)!.body
    expect({ response_format, tools, reasoning_effort }).toMatchObject(last)
    // What it takes is remembered.
    await model.complete(request({ tool }))
    expect(server.seen).toHaveLength(asked + 1)
  })

  test('is asked for what the operator has set, and for nothing else', async () => {
    server.behave({ refusing: () => 'json and tool refused', says: {} })
    const own = settings({ responseFormat: 'json_object', tools: 'true', reasoning: false })
    await expect(createLanguageModel(own).complete(request({ tool }))).rejects.toMatchObject({
      failure: 'unavailable',
    })
    for (const { body } of server.seen) {
      expect(body.response_format).toEqual({ type: 'json_object' })
      expect(body.tools).toHaveLength(1)
    }
  })

  test('gets neither a format nor tools where they are turned off', async () => {
    const model = createLanguageModel(settings({ responseFormat: 'text', tools: 'false' }))
    await model.complete(request({ tool }))
    expect(server.seen[0]!.body).not.toHaveProperty('response_format')
    expect(server.seen[0]!.body).not.toHaveProperty('tools')
    expect(server.seen[0]!.body.temperature).toBe(0.2)
  })
})

test.each(aiProviders)(
  '%s is called once at the configured URL, and its failure is mapped to ours',
  async (provider) => {
    server.behave({ status: 500 })
    const model = createLanguageModel(settings({ provider }))
    await expect(model.complete(request())).rejects.toMatchObject({ failure: 'unavailable' })
    expect(server.seen).toHaveLength(1)
    expect(JSON.stringify(server.seen[0]!.headers)).toContain('the key of the test')
    expect(JSON.stringify(server.seen[0]!.body)).not.toContain('the key of the test')
  },
)

test.each(aiProviders)(
  '%s redirects are not followed, as prompt and key would leak',
  async (provider) => {
    const elsewhere = await startModelServer()
    const failed = await failureOf({ redirectTo: elsewhere.baseUrl }, { provider })
    expect(failed).toEqual({
      failure: 'unavailable',
      message: 'The provider answered 307.',
      requests: 1,
    })
    expect(elsewhere.seen).toEqual([])
    await elsewhere.close()
  },
)
