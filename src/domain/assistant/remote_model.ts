import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Kysely } from 'kysely'
import {
  type Completion,
  type CompletionRequest,
  type LanguageModel,
  ModelFailed,
} from '../../adapters/language_model.ts'
import type { Database } from '../../db/schema.ts'
import type { AiModel, FaceAnswer, ProductAnswer, RoutineAnswer, RoutineStep } from './ai_model.ts'
import { facePrompt, productPrompt, routinePrompt } from './prompts.ts'
import { findProductsFor, profileText } from './retrieval.ts'

/** Maximum number of catalogue products in a prompt, besides those the visitor selected. */
const maxRelated = 12
const maxSuggestions = 30

/** A provider's model, prompted with the catalogue. Its output is not trusted. */
export function remoteModel(db: Kysely<Database>, model: LanguageModel): AiModel {
  async function ask<Answer>(request: CompletionRequest, signal: AbortSignal | undefined) {
    const { value, modelKey, usage } = await model.complete(request, signal)
    return { answer: requireShape<Answer>(request, value), modelKey, usage }
  }

  return {
    async chatAboutProduct(chat, signal) {
      const { shop, message, product } = chat
      const matches = await findProductsFor(db, shop, message, maxRelated + 1)
      const related = matches.filter(({ id }) => id !== product.id).slice(0, maxRelated)
      const { answer, ...use } = await ask<ProductAnswer>(productPrompt(chat, related), signal)
      return { response: answer.response, productIds: answer.productIds, citations: [], ...use }
    },

    async chatAboutRoutine(chat, signal) {
      const { shop, message, userProfile, allowAiSuggestions } = chat
      const searchText = `${profileText(userProfile)} ${message}`
      const suggestions = allowAiSuggestions
        ? await findProductsFor(db, shop, searchText, maxSuggestions)
        : []
      const { answer, ...use } = await ask<RoutineAnswer>(routinePrompt(chat, suggestions), signal)
      const allowed = new Set([...chat.selected, ...suggestions].map(({ id }) => id))
      const steps = inOrder(answer.steps, allowed)
      const productIds = steps.flatMap(({ productId }) => productId ?? [])
      return { response: answer.response, steps, productIds, citations: [], ...use }
    },

    async analyzeFace(request, signal) {
      type FlatAnswer = Pick<FaceAnswer, 'response'> & FaceAnswer['analysis']
      const { answer, ...use } = await ask<FlatAnswer>(facePrompt(request), signal)
      const { response, faceDetected, observations } = answer
      return { response, analysis: { faceDetected, observations }, ...use }
    },

    close: () => Promise.resolve(),
  }
}

/** Keeps the model's order and renumbers the steps; drops products the model was not shown. */
function inOrder(steps: readonly RoutineStep[], allowed: ReadonlySet<string>): RoutineStep[] {
  return [...steps]
    .sort((a, b) => a.order - b.order)
    .map(({ title, productId, instructions }, index) => ({
      order: index + 1,
      title,
      instructions,
      productId: productId !== null && allowed.has(productId) ? productId : null,
    }))
}

const ajv = new Ajv2020({ strict: false })
const validators = new Map<string, ValidateFunction>()

/** The answer, if it matches the requested schema: not every provider enforces it. */
function requireShape<Answer>({ schema }: CompletionRequest, value: Completion['value']): Answer {
  const key = JSON.stringify(schema)
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  if (!validate(value)) throw new ModelFailed('misbehaved', 'The answer has another shape.')
  const answer = value as Answer & { response: string }
  if (!answer.response.trim()) throw new ModelFailed('misbehaved', 'The answer is empty.')
  return answer
}
