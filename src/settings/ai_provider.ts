import { group, setting } from './setting.ts'

const text = { type: 'string', minLength: 1 } as const

export const aiProviders = ['openai-compatible', 'openai', 'anthropic', 'google'] as const

/** The group of settings with the most members. */
export const ai = group('The model that answers chats. Without it: the built-in one, offline.', {
  purpose: 'an AI provider',
  required: {
    provider: setting(
      'AI_PROVIDER',
      `${aiProviders.slice(0, -1).join(', ')} or ${aiProviders.at(-1)}.`,
      { enum: aiProviders },
    ),
    fastModel: setting('AI_FAST_MODEL', 'Model for thinking level LOW.', text),
    comprehensiveModel: setting(
      'AI_COMPREHENSIVE_MODEL',
      'Model for thinking levels MEDIUM and HIGH, and for face analysis.',
      text,
    ),
  },
  optional: {
    baseUrl: setting('AI_BASE_URL', "Provider's address. Required for openai-compatible.", {
      type: 'string',
      format: 'uri',
      pattern: '^https?://',
    }),
    apiKey: setting('AI_API_KEY', 'API key. Optional for openai-compatible only.', text),
    // Must stay below the time after which a credit reservation is released.
    timeoutSeconds: setting(
      'AI_TIMEOUT_SECONDS',
      'Seconds to wait for an answer, at most 240 and never longer than RESERVATION_SECONDS.',
      { type: 'integer', minimum: 1, maximum: 240, default: 60 },
    ),
    reasoning: setting(
      'AI_REASONING',
      'Send the thinking level as a reasoning effort. false for models that refuse one.',
      { type: 'boolean', default: true },
    ),
    responseFormat: setting(
      'AI_RESPONSE_FORMAT',
      'How the answer is asked for: json_schema, json_object, text, or what the provider takes.',
      { enum: ['auto', 'json_schema', 'json_object', 'text'], default: 'auto' },
    ),
    tools: setting(
      'AI_TOOLS',
      'Let the model search the catalogue: true, false, or if the provider takes tools.',
      { enum: ['auto', 'true', 'false'], default: 'auto' },
    ),
  },
})
