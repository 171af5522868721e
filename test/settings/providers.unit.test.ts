import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/settings/config.ts'
import { problemsOf, production } from './problems.ts'

describe('the payment key', () => {
  const keys = { STRIPE_WEBHOOK_SECRET: 'whsec_stated_here' }

  test('is a test key in development and a live key in production', () => {
    expect(problemsOf({ ...keys, STRIPE_SECRET_KEY: 'sk_live_x' })).toEqual([
      'STRIPE_SECRET_KEY must be a test key in development.',
    ])
    expect(problemsOf({ ...production, STRIPE_SECRET_KEY: 'rk_test_x' })).toEqual([
      'STRIPE_SECRET_KEY must be a live key in production.',
    ])
    expect(readConfig({ ...keys, STRIPE_SECRET_KEY: 'sk_test_x' }).stripe).toEqual({
      secretKey: 'sk_test_x',
      webhookSecret: 'whsec_stated_here',
    })
  })

  test('requires the webhook secret', () => {
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_test_x' })).toEqual([
      'STRIPE_WEBHOOK_SECRET is missing: payments needs all of ' +
        'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET.',
    ])
  })
})

describe('an AI provider', () => {
  const provider = { AI_PROVIDER: 'openai', AI_API_KEY: 'k', AI_FAST_MODEL: 'a' }
  const complete = { ...provider, AI_COMPREHENSIVE_MODEL: 'b' }

  test('is absent by default', () => {
    expect(readConfig({}).ai).toBeUndefined()
  })

  test('has a key, two models and a timeout', () => {
    expect(readConfig({ ...complete, AI_TIMEOUT_SECONDS: '30', AI_REASONING: 'false' }).ai).toEqual(
      {
        provider: 'openai',
        baseUrl: undefined,
        apiKey: 'k',
        fastModel: 'a',
        comprehensiveModel: 'b',
        timeoutSeconds: 30,
        reasoning: false,
        responseFormat: 'auto',
        tools: 'auto',
      },
    )
  })

  test.each([
    [provider, 'AI_COMPREHENSIVE_MODEL'],
    [{ AI_API_KEY: 'k' }, 'AI_PROVIDER'],
    [{ ...complete, AI_API_KEY: '' }, 'AI_API_KEY'],
    [{ ...complete, AI_PROVIDER: 'openai-compatible' }, 'AI_BASE_URL'],
    [{ ...complete, AI_BASE_URL: 'http://models.example/v1' }, 'AI_BASE_URL'],
    [{ ...complete, AI_TIMEOUT_SECONDS: '241' }, 'AI_TIMEOUT_SECONDS'],
    [{ ...complete, AI_PROVIDER: 'oracle' }, 'AI_PROVIDER'],
  ])('%j is refused for its %s', (env, name) => {
    expect(problemsOf(env).map((problem) => problem.split(' ')[0])).toEqual([name])
  })

  test('on localhost needs neither https nor a key', () => {
    const local = { AI_PROVIDER: 'openai-compatible', AI_BASE_URL: 'http://localhost:11434/v1' }
    const { ai } = readConfig({ ...complete, AI_API_KEY: '', ...local })
    expect(ai).toMatchObject({ baseUrl: 'http://localhost:11434/v1', apiKey: undefined })
  })
})
