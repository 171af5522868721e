import type { FaceDetector } from '../../../adapters/face_detector.ts'
import type { AiModel } from '../ai_model.ts'
import { describeFace, requireUsableFace } from '../face_analysis.ts'
import { answerFromCatalogue } from './local_answers.ts'
import { routineFromCatalogue } from './local_routine.ts'

const keys = { chat: 'local/catalogue', face: 'local/face' }
const nothingUsed = { inputTokens: 0, outputTokens: 0 }

/** What an answer says of its model where the catalogue itself answered. */
export const ofCatalogue = { modelKey: keys.chat, usage: nothingUsed }

/**
 * The built-in model: offline and deterministic for the same question and catalogue. It quotes and
 * orders catalogue content and makes nothing up.
 */
export function localModel(faces: FaceDetector): AiModel {
  return {
    keyFor: ({ eventName }) => (eventName === 'chat.analyze_face' ? keys.face : keys.chat),
    chatAboutProduct: async (db, chat) => ({
      ...(await answerFromCatalogue(db, chat)),
      ...ofCatalogue,
    }),
    chatAboutRoutine: async (db, chat) => ({
      ...(await routineFromCatalogue(db, chat)),
      ...ofCatalogue,
    }),
    async analyzeFace({ image, language }, signal) {
      const face = requireUsableFace(await faces.detect(image.bytes, signal))
      return { ...describeFace(face, language), modelKey: keys.face, usage: nothingUsed }
    },
    close: () => faces.close(),
  }
}
