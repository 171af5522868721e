import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CompletionRequest,
  createLanguageModel,
  ModelFailed,
} from '../../src/adapters/language_model.ts'
import type { AiSettings } from '../../src/core/config.ts'
import { type Behaviour, type ModelServer, startModelServer } from '../kit/peers/model_server.ts'

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
    ...changes,
  }
}

function asked(changes: Partial<CompletionRequest> = {}): CompletionRequest {
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
    .complete(asked())
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(failed).toBeInstanceOf(ModelFailed)
  const { failure, message } = failed as ModelFailed
  return { failure, message, requests: server.seen.length }
}

describe('a call of the model', () => {
  test('is one request of the protocol, answered with value, model and tokens', async () => {
    const answer = await createLanguageModel(settings()).complete(asked())
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

  test('carries the key in its own header and nowhere else', async () => {
    await createLanguageModel(settings()).complete(asked())
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
    await createLanguageModel(settings()).complete(asked({ thinkingLevel: level }))
    expect(server.seen[0]!.body.model).toBe(model)
    expect(server.seen[0]!.body.reasoning_effort).toBe(effort)
  })

  test('states no effort to models that take none', async () => {
    await createLanguageModel(settings({ reasoning: false })).complete(asked())
    expect(server.seen[0]!.body).not.toHaveProperty('reasoning_effort')
  })

  test('passes pictures with the message that they came with', async () => {
    const picture = { bytes: Buffer.from('a picture'), mimeType: 'image/png' }
    await createLanguageModel(settings()).complete(
      asked({ messages: [{ role: 'user', text: 'Look.', pictures: [picture] }] }),
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
  test('by hanging is given up after the time limit', async () => {
    expect(await failureOf('hangs', { timeoutSeconds: 0.3 })).toEqual({
      failure: 'timeout',
      message: 'No whole answer came within the time limit.',
      requests: 1,
    })
  })

  test.each([500, 429, 401])('with %s is not asked again and not quoted', async (status) => {
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

  test('by answering with something else than the protocol misbehaves', async () => {
    expect(await failureOf({ body: '<html>Bad gateway</html>' })).toEqual({
      failure: 'misbehaved',
      message: 'The answer is none of the protocol.',
      requests: 1,
    })
  })

  test('by answering with prose in place of its shape misbehaves', async () => {
    expect(await failureOf({ says: 'Sure, it is vegan!' })).toEqual({
      failure: 'misbehaved',
      message: 'The answer has another shape (stop).',
      requests: 1,
    })
  })

  test('by saying more than fits any answer misbehaves, right though the rest may be', async () => {
    const message = { role: 'assistant', content: '{"response":"Yes."}' }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(await failureOf({ body: ' '.repeat(4 * 1024 * 1024) + body })).toEqual({
      failure: 'misbehaved',
      message: 'The answer is none of the protocol.',
      requests: 1,
    })
  })

  test('by being held back by its provider has refused', async () => {
    const { failure, requests } = await failureOf({ says: '', finish: 'content_filter' })
    expect({ failure, requests }).toEqual({ failure: 'refused', requests: 1 })
  })

  test('by not being there is unavailable', async () => {
    const gone = await startModelServer()
    await gone.close()
    const { failure, requests } = await failureOf({ status: 500 }, { baseUrl: gone.baseUrl })
    expect({ failure, requests }).toEqual({ failure: 'unavailable', requests: 0 })
  })

  test('for a caller who has given up is aborted', async () => {
    server.behave('hangs')
    const given = new AbortController()
    const call = createLanguageModel(settings()).complete(asked(), given.signal)
    given.abort()
    await expect(call).rejects.toMatchObject({ failure: 'aborted' })
  })
})

test.each(['openai', 'anthropic', 'google'] as const)(
  '%s is asked at the configured address, once, and its failure is ours',
  async (provider) => {
    server.behave({ status: 500 })
    const model = createLanguageModel(settings({ provider }))
    await expect(model.complete(asked())).rejects.toMatchObject({ failure: 'unavailable' })
    expect(server.seen).toHaveLength(1)
    expect(JSON.stringify(server.seen[0]!.headers)).toContain('the key of the test')
    expect(JSON.stringify(server.seen[0]!.body)).not.toContain('the key of the test')
  },
)

test.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
  '%s is not followed elsewhere, where prompt and key would go along',
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
