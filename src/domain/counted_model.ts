import { countAiCall } from '../core/metrics.ts'
import type { AiModel } from './ai_model.ts'

/** A model whose calls are counted, by kind and by whether it answered. */
export function countedModel(model: AiModel): AiModel {
  async function counted<T>(kind: Parameters<typeof countAiCall>[0], call: Promise<T>): Promise<T> {
    try {
      const answer = await call
      countAiCall(kind, 'answered')
      return answer
    } catch (error) {
      countAiCall(kind, 'failed')
      throw error
    }
  }
  return {
    chatAboutProduct: (chat, signal) => counted('product', model.chatAboutProduct(chat, signal)),
    chatAboutRoutine: (chat, signal) => counted('routine', model.chatAboutRoutine(chat, signal)),
    analyzeFace: (request, signal) => counted('face', model.analyzeFace(request, signal)),
    close: () => model.close(),
  }
}
