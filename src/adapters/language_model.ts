import type { JSONSchema7, LanguageModel as SdkModel } from 'ai'
import type { AiSettings } from '../settings/config.ts'
import { followed, writtenIn, writtenInstead } from './models/answers.ts'
import { failureOf, ModelFailed } from './models/failures.ts'
import { openModel } from './models/providers.ts'
import { effortOf, openTool, sdkMessage } from './models/requests.ts'
import { loadSdk } from './models/sdk.ts'
import type { ModelTool, PromptMessage, ThinkingLevel } from './models/types.ts'
import { fewerUses, firstUses, type Uses } from './models/uses.ts'

export type { ModelTool, Picture, PromptMessage, ThinkingLevel } from './models/types.ts'

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

interface Completion {
  /** Parsed, but otherwise unchecked. */
  value: unknown
  /** Provider and model, as recorded in usage events. */
  modelKey: string
  usage: TokenUsage
}

/**
 * A provider's model. A request that fails is never retried; only calls of the tool, an objection, and a
 * refusal of what the request made use of lead to further requests, all within one time limit.
 */
export interface LanguageModel {
  /** Provider and model that a level asks, as recorded in usage events. */
  keyOf(level: ThinkingLevel): string
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>
}

/** Enough for a long answer with its reasoning; cuts off runaway output. */
const maxOutputTokens = { LOW: 2_000, MEDIUM: 6_000, HIGH: 12_000 } as const

/** Low, because an answer repeats what the catalogue says. */
const temperature = 0.2

/**
 * The configured model. Its packages load on the first call, so a service with the built-in model
 * never pays for them.
 */
export function createLanguageModel(settings: AiSettings): LanguageModel {
  const providers = new Map<string, Promise<SdkModel>>()
  /** What each model was last known to take. */
  const taken = new Map<string, Uses>()

  function modelOf(name: string, { format }: Uses): Promise<SdkModel> {
    const key = `${format} ${name}`
    const model = providers.get(key) ?? openModel(settings, name, format === 'json_schema')
    providers.set(key, model)
    return model
  }

  const nameOf = (level: ThinkingLevel) =>
    level === 'LOW' ? settings.fastModel : settings.comprehensiveModel
  const keyOf = (level: ThinkingLevel) => `${settings.provider}/${nameOf(level)}`

  /** One answer, asked for with less if the provider refuses what the request makes use of. */
  async function answerTo(request: CompletionRequest, abortSignal: AbortSignal) {
    const name = nameOf(request.thinkingLevel)
    let uses = taken.get(name) ?? firstUses(settings)
    for (;;)
      try {
        const answer = await answerWith(uses, request, abortSignal)
        taken.set(name, uses)
        return answer
      } catch (error) {
        const { APICallError } = await loadSdk()
        const fewer = APICallError.isInstance(error) && fewerUses(uses, error, settings)
        if (!fewer) throw error
        uses = fewer
      }
  }

  /** One answer, with the calls of the tool that lead to it. */
  async function answerWith(uses: Uses, request: CompletionRequest, abortSignal: AbortSignal) {
    const { thinkingLevel } = request
    const { generateText, Output, jsonSchema, stepCountIs } = await loadSdk()
    const tool = uses.tools ? request.tool : undefined
    const called = tool && (await openTool(tool))
    const options = {
      model: await modelOf(nameOf(thinkingLevel), uses),
      system: request.system,
      messages: request.messages.map(sdkMessage),
      ...(uses.format === 'text'
        ? {}
        : { output: Output.object({ schema: jsonSchema(request.schema as JSONSchema7) }) }),
      maxOutputTokens: maxOutputTokens[thinkingLevel],
      ...(uses.temperature ? { temperature } : {}),
      // Never retry: the first request may have been answered, and answers cost money.
      maxRetries: 0,
      abortSignal,
      providerOptions: uses.reasoning ? effortOf(settings, thinkingLevel) : {},
      // A step for each result, one more that is told to answer, and the answer.
      ...(tool && called ? { tools: called.tools, stopWhen: stepCountIs(tool.maxCalls + 2) } : {}),
    }
    const completed = request.follow
      ? followed(options, request.follow())
      : generateText(options).then(writtenIn, writtenInstead)
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
