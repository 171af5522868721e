import { countAiCall } from '../../core/metrics.ts'
import type { AiModel } from './ai_model.ts'

/** Wraps a model: counts calls by kind and outcome, and aborts them when it is closed. */
export function countedModel(model: AiModel): AiModel {
  const closing = new AbortController()

  async function counted<T>(
    kind: Parameters<typeof countAiCall>[0],
    given: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = given ? AbortSignal.any([closing.signal, given]) : closing.signal
    try {
      const answer = await call(signal)
      countAiCall(kind, 'answered')
      return answer
    } catch (error) {
      countAiCall(kind, 'failed')
      throw error
    }
  }
  return {
    chatAboutProduct: (chat, given) =>
      counted('product', given, (signal) => model.chatAboutProduct(chat, signal)),
    chatAboutRoutine: (chat, given) =>
      counted('routine', given, (signal) => model.chatAboutRoutine(chat, signal)),
    analyzeFace: (request, given) =>
      counted('face', given, (signal) => model.analyzeFace(request, signal)),
    close: () => {
      closing.abort()
      return model.close()
    },
  }
}
