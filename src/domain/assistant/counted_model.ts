import { countAiCall } from '../../core/metrics.ts'
import type { AiModel, ModelReply } from './ai_model.ts'

/** Wraps a model: counts calls by kind and outcome, and aborts them when it is closed. */
export function countedModel(model: AiModel): AiModel {
  const closing = new AbortController()

  async function runCounted<T extends Pick<ModelReply<unknown>, 'standsInAfter'>>(
    kind: Parameters<typeof countAiCall>[0],
    requestSignal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = requestSignal ? AbortSignal.any([closing.signal, requestSignal]) : closing.signal
    try {
      const answer = await call(signal)
      countAiCall(kind, answer.standsInAfter ? 'stood_in' : 'answered')
      return answer
    } catch (error) {
      countAiCall(kind, 'failed')
      throw error
    }
  }
  return {
    keyFor: (call) => model.keyFor(call),
    chatAboutProduct: (db, chat, requestSignal, words) =>
      runCounted('product', requestSignal, (signal) =>
        model.chatAboutProduct(db, chat, signal, words),
      ),
    chatAboutRoutine: (db, chat, requestSignal, words) =>
      runCounted('routine', requestSignal, (signal) =>
        model.chatAboutRoutine(db, chat, signal, words),
      ),
    analyzeFace: (request, requestSignal) =>
      runCounted('face', requestSignal, (signal) => model.analyzeFace(request, signal)),
    close: () => {
      closing.abort()
      return model.close()
    },
  }
}
