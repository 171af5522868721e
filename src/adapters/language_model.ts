import type { JSONSchema7, LanguageModel as SdkModel, ModelMessage, streamText } from 'ai'
import type { AiSettings } from '../settings/config.ts'
import { openModel } from './model_providers.ts'

export type ThinkingLevel = 'LOW' | 'MEDIUM' | 'HIGH'

export interface Picture {
  bytes: Buffer
  mimeType: string
}

/** A message of a conversation; only visitor messages carry pictures. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  text: string
  pictures?: readonly Picture[]
}

/** A function that the model may call before it answers. */
export interface ModelTool {
  name: string
  description: string
  /** The schema of its input, which is unchecked when it runs. */
  schema: Record<string, unknown>
  /** How many of its results the model waits for; after that it must answer. */
  maxCalls: number
  run: (input: unknown) => Promise<string>
}

export interface CompletionRequest {
  system: string
  messages: readonly PromptMessage[]
  thinkingLevel: ThinkingLevel
  /** The answer's schema. Anything else is rejected. */
  schema: Record<string, unknown>
  tool?: ModelTool
  /**
   * Why an answer must not be used, in words for the model; undefined if it may be. The model is
   * told once and asked again.
   */
  objectionTo?: (value: unknown) => string | undefined
  /**
   * Follows the answer while it grows: called once for each time it is asked for, then with ever
   * more of it. An objection ends the request at once.
   */
  follow?: () => (partial: unknown) => string | undefined
}

export interface TokenUsage {
  inputTokens: number
  outputTokens: number
}

export interface Completion {
  /** Parsed, but otherwise unchecked. */
  value: unknown
  /** Provider and model, as recorded in usage events. */
  modelKey: string
  usage: TokenUsage
}

/**
 * A provider's model. A request that fails is never retried; only calls of the tool and an
 * objection lead to further requests, all within one time limit.
 */
export interface LanguageModel {
  /** Provider and model that a level asks, as recorded in usage events. */
  keyOf(level: ThinkingLevel): string
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>
}

/**
 * `timeout`: no complete answer in time; `unavailable`: the provider is unreachable, broke off or
 * reported an error; `refused`: the model declined; `misbehaved`: the answer does not match its
 * schema; `aborted`: the caller gave up.
 */
export type ModelFailure = 'timeout' | 'unavailable' | 'refused' | 'misbehaved' | 'aborted'

/** The message is for the log and quotes neither prompt nor provider. */
export class ModelFailed extends Error {
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Enough for a long answer with its reasoning; cuts off runaway output. */
const maxOutputTokens = { LOW: 2_000, MEDIUM: 6_000, HIGH: 12_000 } as const

/**
 * The configured model. Its packages load on the first call, so a service with the built-in model
 * never pays for them.
 */
export function createLanguageModel(settings: AiSettings): LanguageModel {
  const providers = new Map<string, Promise<SdkModel>>()

  function modelOf(name: string): Promise<SdkModel> {
    const model = providers.get(name) ?? openModel(settings, name)
    providers.set(name, model)
    return model
  }

  const nameOf = (level: ThinkingLevel) =>
    level === 'LOW' ? settings.fastModel : settings.comprehensiveModel
  const keyOf = (level: ThinkingLevel) => `${settings.provider}/${nameOf(level)}`

  /** One answer, with the calls of the tool that lead to it. */
  async function answerTo(request: CompletionRequest, abortSignal: AbortSignal) {
    const { thinkingLevel, tool } = request
    const { generateText, Output, jsonSchema, stepCountIs } = await loadSdk()
    const called = tool && (await openTool(tool))
    const options = {
      model: await modelOf(nameOf(thinkingLevel)),
      system: request.system,
      messages: request.messages.map(sdkMessage),
      output: Output.object({ schema: jsonSchema(request.schema as JSONSchema7) }),
      maxOutputTokens: maxOutputTokens[thinkingLevel],
      // Never retry: the first request may have been answered, and answers cost money.
      maxRetries: 0,
      abortSignal,
      providerOptions: settings.reasoning ? effortOf(settings, thinkingLevel) : {},
      // A step for each result, one more that is told to answer, and the answer.
      ...(tool && called ? { tools: called.tools, stopWhen: stepCountIs(tool.maxCalls + 2) } : {}),
    }
    const completed = request.follow
      ? followed(options, request.follow())
      : generateText(options).then(({ output, totalUsage }) => ({ value: output, totalUsage }))
    const answer = await completed.finally(() => called?.requireSound())
    const { inputTokens = 0, outputTokens = 0 } = answer.totalUsage
    return {
      value: 'value' in answer ? answer.value : undefined,
      objection: 'objection' in answer ? answer.objection : request.objectionTo?.(answer.value),
      modelKey: keyOf(thinkingLevel),
      usage: { inputTokens, outputTokens },
    }
  }

  return {
    keyOf,
    async complete(request, signal) {
      const deadline = AbortSignal.timeout(settings.timeoutSeconds * 1000)
      const abortSignal = signal ? AbortSignal.any([signal, deadline]) : deadline
      try {
        const { objection, ...first } = await answerTo(request, abortSignal)
        if (objection === undefined) return first
        const complaint: PromptMessage = { role: 'user', text: objection }
        const messages = [...request.messages, complaint]
        const { objection: last, ...second } = await answerTo({ ...request, messages }, abortSignal)
        if (last !== undefined)
          throw new ModelFailed('misbehaved', `Two answers were held back: ${last}`)
        return { ...second, usage: sumOf(first.usage, second.usage) }
      } catch (error) {
        throw await failureOf(error, { aborted: signal?.aborted, late: deadline.aborted })
      }
    },
  }
}

function sumOf(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}

/** An answer that is followed while it comes in; ends with the first objection. */
async function followed(
  options: Parameters<typeof streamText>[0],
  objectionTo: (partial: unknown) => string | undefined,
) {
  const sdk = await loadSdk()
  const stopping = new AbortController()
  const abortSignal = AbortSignal.any([stopping.signal, ...signalsOf(options)])
  let failure: unknown
  const answer = sdk.streamText({
    ...options,
    abortSignal,
    onError: ({ error }) => void (failure ??= error),
  })
  for await (const partial of answer.partialOutputStream) {
    const objection = objectionTo(partial)
    if (objection === undefined) continue
    stopping.abort()
    // What a broken-off request has used is never reported.
    return { objection, totalUsage: { inputTokens: 0, outputTokens: 0 } }
  }
  abortSignal.throwIfAborted()
  if (failure !== undefined) throw failure as Error
  return { value: (await answer.output) as unknown, totalUsage: await answer.totalUsage }
}

function signalsOf({ abortSignal }: { abortSignal?: AbortSignal | undefined }): AbortSignal[] {
  return abortSignal ? [abortSignal] : []
}

/** Carries a fault of our own past the SDK. */
class ToolFailed extends Error {}

/** The tool in the SDK's terms. The SDK would tell the model what went wrong inside: we keep it. */
async function openTool({ name, description, schema, run }: ModelTool) {
  const { tool, jsonSchema } = await loadSdk()
  let fault: unknown
  const execute = async (input: unknown) => {
    try {
      return await run(input)
    } catch (error) {
      fault ??= error
      throw new Error('This failed.', { cause: error })
    }
  }
  const inputSchema = jsonSchema<unknown>(schema)
  return {
    tools: { [name]: tool({ description, inputSchema, execute }) },
    requireSound() {
      if (fault !== undefined) throw new ToolFailed('The tool failed.', { cause: fault })
    },
  }
}

async function loadSdk() {
  const sdk = await import('ai')
  // The SDK prints warnings to the console; our own log has what matters.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return sdk
}

/** The thinking level in each provider's terms. */
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
): Promise<unknown> {
  if (aborted) return new ModelFailed('aborted', 'The caller gave up.')
  if (late) return new ModelFailed('timeout', 'No whole answer came within the time limit.')
  if (error instanceof ModelFailed) return error
  if (error instanceof ToolFailed) return error.cause
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
  // An unreadable success was cut off; a readable one is not a valid answer.
  return error.cause instanceof TypeError
    ? new ModelFailed('unavailable', 'The answer was cut off.')
    : new ModelFailed('misbehaved', 'The answer is none of the protocol.')
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
