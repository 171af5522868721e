import { ModelFailed } from '../../adapters/models/failures.ts'
import type { AiModel, ModelReply } from './ai_model.ts'

/**
 * A provider's model with the built-in one behind it: whatever goes wrong at the provider, a visitor gets
 * an answer. Only a call that was given up stays without one.
 */
export function withStandIn(model: AiModel, builtIn: AiModel): AiModel {
  async function answered<Answer>(
    asked: Promise<ModelReply<Answer>>,
    instead: () => Promise<ModelReply<Answer>>,
  ): Promise<ModelReply<Answer>> {
    try {
      return await asked
    } catch (error) {
      if (!(error instanceof ModelFailed) || error.failure === 'aborted') throw error
      return { ...(await instead()), standsInAfter: error }
    }
  }

  return {
    keyFor: (call) => model.keyFor(call),
    chatAboutProduct: (db, chat, signal, words) =>
      answered(model.chatAboutProduct(db, chat, signal, words), () =>
        builtIn.chatAboutProduct(db, chat, signal),
      ),
    chatAboutRoutine: (db, chat, signal, words) =>
      answered(model.chatAboutRoutine(db, chat, signal, words), () =>
        builtIn.chatAboutRoutine(db, chat, signal),
      ),
    analyzeFace: (request, signal) =>
      answered(model.analyzeFace(request, signal), () => builtIn.analyzeFace(request, signal)),
    close: () => model.close(),
  }
}
