import type { LanguageModel as SdkModel } from 'ai'
import type { AiSettings } from '../settings/config.ts'

/** A provider's model. Its package is loaded here, and only here. */
export async function openModel(settings: AiSettings, name: string): Promise<SdkModel> {
  const { provider, baseUrl, apiKey } = settings
  const address = baseUrl ? { baseURL: baseUrl } : {}
  const access = { ...address, ...(apiKey ? { apiKey } : {}), fetch: providerFetch }
  switch (provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const own = { name: 'compatible', baseURL: baseUrl ?? '', includeUsage: true }
      return createOpenAICompatible({ ...access, ...own })(name)
    }
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(access)(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(access)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(access)(name)
  }
}

/** Many times the size of the longest possible answer. */
const maxAnswerBytes = 4 * 1024 * 1024

/**
 * Fetch for providers. Redirects are refused: prompt, pictures and key would follow them. Endless
 * answers are cut off before they fill memory.
 */
const providerFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' })
  const { status, statusText, headers, body } = answer
  return new Response(body?.pipeThrough(sizeLimiter()) ?? null, { status, statusText, headers })
}

function sizeLimiter(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxAnswerBytes) controller.error(new Error('The answer is too long.'))
      else controller.enqueue(chunk)
    },
  })
}
