import type { LanguageModel as SdkModel } from 'ai'
import { isLoopbackUrl } from '../../core/public_urls.ts'
import { parsedUrl } from '../../core/urls.ts'
import type { AiSettings } from '../../settings/config.ts'

/** A provider's model. Its package is loaded here, and only here. */
export async function openModel(
  settings: AiSettings,
  name: string,
  supportsStructuredOutputs: boolean,
): Promise<SdkModel> {
  const { provider, baseUrl, apiKey } = settings
  const address = baseUrl ? { baseURL: baseUrl } : {}
  const access = { ...address, ...(apiKey ? { apiKey } : {}), fetch: providerFetch }
  switch (provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const own = { name: 'compatible', baseURL: baseUrl ?? '', includeUsage: true }
      return createOpenAICompatible({ ...access, ...own, supportsStructuredOutputs })(name)
    }
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(access)(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(access)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(access)(name)
  }
}

/** Where a provider is asked; undefined if that is this machine. */
export function hostOfProvider(settings: AiSettings | undefined): string | undefined {
  if (!settings) return undefined
  const url = settings.baseUrl ?? lists[settings.provider].root
  return isLoopbackUrl(url) ? undefined : parsedUrl(url)?.host
}

const listSeconds = 10

/** Where each provider lists its models, and how it is told the key. The list costs nothing. */
const lists: Record<AiSettings['provider'], { root: string; headers: (key: string) => object }> = {
  'openai-compatible': { root: '', headers: (key) => ({ Authorization: `Bearer ${key}` }) },
  openai: {
    root: 'https://api.openai.com/v1',
    headers: (key) => ({ Authorization: `Bearer ${key}` }),
  },
  anthropic: {
    root: 'https://api.anthropic.com/v1',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  google: {
    root: 'https://generativelanguage.googleapis.com/v1beta',
    headers: (key) => ({ 'x-goog-api-key': key }),
  },
}

/** Asks a provider for its models; returns why it does not serve this key, undefined if it does. */
export async function askForModels({
  provider,
  baseUrl,
  apiKey,
}: Pick<AiSettings, 'provider' | 'baseUrl' | 'apiKey'>): Promise<string | undefined> {
  const { root, headers } = lists[provider]
  try {
    const answer = await fetch(`${(baseUrl ?? root).replace(/\/$/, '')}/models`, {
      headers: apiKey ? { ...headers(apiKey) } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(listSeconds * 1000),
    })
    await answer.body?.cancel()
    return answer.ok ? undefined : `it answered ${answer.status}.`
  } catch (error) {
    return `it cannot be reached (${error instanceof Error ? error.message : String(error)}).`
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
