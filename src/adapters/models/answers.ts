import type { LanguageModelUsage, streamText } from 'ai'
import { ModelFailed } from './failures.ts'
import { loadSdk } from './sdk.ts'
import { beginningOfObject, objectIn } from './text.ts'

interface Written {
  text: string
  finishReason: string
  totalUsage: LanguageModelUsage
}

/** The object that a model wrote. */
export function writtenIn({ text, finishReason, totalUsage }: Written) {
  if (finishReason === 'content-filter')
    throw new ModelFailed('refused', 'The provider held the answer back.')
  if (finishReason === 'tool-calls')
    throw new ModelFailed('refused', 'The model ended without an answer.')
  const value = objectIn(text)
  if (value === undefined)
    throw new ModelFailed('misbehaved', `The answer has another shape (${finishReason}).`)
  return { value, totalUsage }
}

/** What the SDK refuses to read may be readable all the same: an object between fences. */
export async function writtenInstead(error: unknown) {
  const { NoObjectGeneratedError } = await loadSdk()
  if (!NoObjectGeneratedError.isInstance(error)) throw error
  const { text = '', finishReason = 'other', usage } = error
  return writtenIn({ text, finishReason, totalUsage: usage ?? nothingUsed })
}

const nothingUsed = { inputTokens: 0, outputTokens: 0 } as LanguageModelUsage

/** An answer that is followed while it comes in; ends with the first objection. */
export async function followed(
  options: Parameters<typeof streamText>[0],
  objectionTo: (partial: unknown) => string | undefined,
) {
  const sdk = await loadSdk()
  const stopping = new AbortController()
  const abortSignal = AbortSignal.any([stopping.signal, ...signalsOf(options)])
  let failure: unknown
  let text = ''
  const answer = sdk.streamText({
    ...options,
    abortSignal,
    onError: ({ error }) => void (failure ??= error),
  })
  for await (const part of answer.fullStream) {
    if (part.type === 'start-step') text = ''
    if (part.type !== 'text-delta') continue
    text += part.text
    const { value } = await sdk.parsePartialJson(beginningOfObject(text))
    const objection = objectionTo(value)
    if (objection === undefined) continue
    stopping.abort()
    // What a broken-off request has used is never reported.
    return { objection, totalUsage: nothingUsed }
  }
  abortSignal.throwIfAborted()
  if (failure !== undefined) throw failure as Error
  const [finishReason, totalUsage] = await Promise.all([answer.finishReason, answer.totalUsage])
  return writtenIn({ text, finishReason, totalUsage })
}

function signalsOf({ abortSignal }: { abortSignal?: AbortSignal | undefined }): AbortSignal[] {
  return abortSignal ? [abortSignal] : []
}
