import type { JSONSchema7, LanguageModel as SdkModel, ModelMessage } from 'ai'
import type { AiSettings } from '../core/config.ts'

export type ThinkingLevel = 'LOW' | 'MEDIUM' | 'HIGH'

export interface Picture {
  bytes: Buffer
  mimeType: string
}

/** A message of a conversation; pictures come with what a visitor says. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  text: string
  pictures?: readonly Picture[]
}

export interface CompletionRequest {
  system: string
  messages: readonly PromptMessage[]
  thinkingLevel: ThinkingLevel
  /** The shape of the answer. What does not fit it is no answer. */
  schema: Record<string, unknown>
}

export interface TokenUsage {
  inputTokens: number
  outputTokens: number
}

export interface Completion {
  /** Parsed, and nothing else of it checked. */
  value: unknown
  /** Provider and model, as usage events name them. */
  modelKey: string
  usage: TokenUsage
}

/** A model behind a provider's interface. One call is one request: nothing is sent again. */
export interface LanguageModel {
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>
}

/**
 * `timeout`: no whole answer within the limit; `unavailable`: the provider cannot be reached, cut
 * the answer off or reported an error; `refused`: the model declined to answer; `misbehaved`: what
 * came is no answer; `aborted`: the caller gave up.
 */
export type ModelFailure = 'timeout' | 'unavailable' | 'refused' | 'misbehaved' | 'aborted'

/** Its message is for the log alone and quotes neither the prompt nor the provider. */
export class ModelFailed extends Error {
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Enough for a long answer and the thinking before it; a runaway one ends here. */
const maxOutputTokens = { LOW: 2_000, MEDIUM: 6_000, HIGH: 12_000 } as const

/**
 * The configured model. Its packages are loaded at the first call, so that a service that answers
 * by itself never pays for them.
 */
export function createLanguageModel(settings: AiSettings): LanguageModel {
  const providers = new Map<string, Promise<SdkModel>>()

  function modelOf(name: string): Promise<SdkModel> {
    const known = providers.get(name) ?? openModel(settings, name)
    providers.set(name, known)
    return known
  }

  return {
    async complete(request, signal) {
      const name =
        request.thinkingLevel === 'LOW' ? settings.fastModel : settings.comprehensiveModel
      const deadline = AbortSignal.timeout(settings.timeoutSeconds * 1000)
      const ended = signal ? AbortSignal.any([signal, deadline]) : deadline
      const { generateText, Output, jsonSchema } = await loadSdk()
      try {
        const answer = await generateText({
          model: await modelOf(name),
          system: request.system,
          messages: request.messages.map(sdkMessage),
          output: Output.object({ schema: jsonSchema(request.schema as JSONSchema7) }),
          maxOutputTokens: maxOutputTokens[request.thinkingLevel],
          // A request that may have been answered is never sent twice: answers cost money.
          maxRetries: 0,
          abortSignal: ended,
          providerOptions: settings.reasoning ? effortOf(settings, request.thinkingLevel) : {},
        })
        const { inputTokens = 0, outputTokens = 0 } = answer.totalUsage
        return {
          value: answer.output,
          modelKey: `${settings.provider}/${name}`,
          usage: { inputTokens, outputTokens },
        }
      } catch (error) {
        throw await failureOf(error, { aborted: signal?.aborted, late: deadline.aborted })
      }
    },
  }
}

async function loadSdk() {
  const sdk = await import('ai')
  // Its warnings go to the console unasked; what matters of a call is in our own log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return sdk
}

async function openModel(settings: AiSettings, name: string): Promise<SdkModel> {
  const { provider, baseUrl, apiKey } = settings
  const address = baseUrl ? { baseURL: baseUrl } : {}
  const access = { ...address, ...(apiKey ? { apiKey } : {}), fetch: carefulFetch }
  switch (provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...access, name: 'compatible', baseURL: baseUrl ?? '' })(name)
    }
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(access)(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(access)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(access)(name)
  }
}

/** Many times what the most tokens of an answer take. */
const maxAnswerBytes = 4 * 1024 * 1024

/**
 * How a provider is asked. A redirect is not followed: prompt, pictures and key would go along to
 * wherever it leads. An answer without end is given up before it fills the memory.
 */
const carefulFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' })
  const { status, statusText, headers, body } = answer
  return new Response(body?.pipeThrough(bounded()) ?? null, { status, statusText, headers })
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxAnswerBytes) controller.error(new Error('The answer is too long.'))
      else controller.enqueue(chunk)
    },
  })
}

/** The level in the words of each provider. */
function effortOf({ provider }: AiSettings, level: ThinkingLevel) {
  const effort = ({ LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const)[level]
  switch (provider) {
    case 'openai-compatible':
      return { compatible: { reasoningEffort: effort } }
    case 'openai':
      return { openai: { reasoningEffort: effort } }
    case 'anthropic':
      return { anthropic: { effort } }
    case 'google':
      return { google: { thinkingConfig: { thinkingLevel: effort } } }
  }
}

function sdkMessage({ role, text, pictures = [] }: PromptMessage): ModelMessage {
  if (role === 'assistant') return { role, content: text }
  const images = pictures.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    image: new Uint8Array(bytes),
    mediaType: mimeType,
  }))
  return { role, content: [{ type: 'text', text }, ...images] }
}

async function failureOf(
  error: unknown,
  { aborted, late }: { aborted: boolean | undefined; late: boolean },
): Promise<ModelFailed> {
  if (aborted) return new ModelFailed('aborted', 'The caller gave up.')
  if (late) return new ModelFailed('timeout', 'No whole answer came within the time limit.')
  const { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } = await loadSdk()
  if (NoObjectGeneratedError.isInstance(error))
    return error.finishReason === 'content-filter'
      ? new ModelFailed('refused', 'The provider held the answer back.')
      : new ModelFailed('misbehaved', `The answer has another shape (${error.finishReason}).`)
  if (NoOutputGeneratedError.isInstance(error))
    return new ModelFailed('refused', 'The model ended without an answer.')
  if (!APICallError.isInstance(error))
    return new ModelFailed('unavailable', `The call failed: ${nameOf(error)}.`)
  const { statusCode } = error
  if (statusCode === undefined || statusCode >= 300)
    return new ModelFailed('unavailable', `The provider answered ${statusCode ?? 'nothing'}.`)
  // A success that could not be read to its end was cut off; one that could is no answer.
  return error.cause instanceof TypeError
    ? new ModelFailed('unavailable', 'The answer was cut off.')
    : new ModelFailed('misbehaved', 'The answer is none of the protocol.')
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
