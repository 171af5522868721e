import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FaceDetector } from '../../../adapters/face_detector.ts'
import type { CompletionRequest, LanguageModel } from '../../../adapters/language_model.ts'
import { ModelFailed } from '../../../adapters/models/failures.ts'
import { serviceTexts } from '../../../texts/languages.ts'
import type {
  AiModel,
  AiShop,
  FaceAnswer,
  ProductAnswer,
  ProductChat,
  RoutineAnswer,
  RoutineChat,
  RoutineStep,
  Turn,
} from '../ai_model.ts'
import { amountsIn, type Breach, breachIn, type Permitted } from './answer_guard.ts'
import { searchTool } from './catalogue_tool.ts'
import { keptText, withoutMarks } from './cited_text.ts'
import { requireUsableFace } from '../face_analysis.ts'
import { followAnswer } from './followed_answer.ts'
import { answerFromReplies, answerToSmallTalk } from '../built_in/local_answers.ts'
import { ofCatalogue } from '../built_in/local_model.ts'
import { languageOfChat, questionOf } from '../understanding/questions.ts'
import { answerOfShop } from '../finding/shop_knowledge.ts'
import { promptSizes } from './prompt_sizes.ts'
import { facePrompt, productPrompt, routinePrompt, rules } from './prompts.ts'
import { findProductsOrAll, profileText } from '../finding/retrieval.ts'
import { createSources, type ShownSources } from './sources.ts'

/** An answer as the model gives it, with marks. */
type MarkedProductAnswer = Pick<ProductAnswer, 'response' | 'productIds'> & { unanswered?: boolean }
type MarkedRoutineAnswer = Pick<RoutineAnswer, 'response' | 'steps'>
type FlatFaceAnswer = Pick<FaceAnswer, 'response'> &
  FaceAnswer['analysis'] &
  Partial<Pick<FaceAnswer, 'concerns'>>

/**
 * A provider's model, prompted with the catalogue. Its output is not trusted: what rests on nothing
 * it was shown is dropped, and an answer that breaks a rule is asked for once more, then refused.
 */
export function remoteModel(model: LanguageModel, faces: FaceDetector): AiModel {
  /** Asks for an answer and builds ours from it; `textsOf` lists what a visitor would read. */
  async function ask<Marked, Answer>(
    request: CompletionRequest,
    signal: AbortSignal | undefined,
    { build, textsOf, permitted, listening }: AnswerSteps<Marked, Answer>,
  ) {
    const read = (value: unknown) => requireShape<Marked>(request, value)
    const objectionTo = (value: unknown) => {
      const marked = read(value)
      const texts = [...textsOf(marked).map(withoutMarks), ...textsOf(build(marked))]
      return objectionFor(breachIn(texts.join('\n'), permitted()))
    }
    const follow = listening && followFor(listening, permitted)
    const guarded = { ...request, objectionTo, ...(follow ? { follow } : {}) }
    const completion = await model.complete(guarded, signal)
    const { value, modelKey, usage } = completion
    return { ...build(read(value)), modelKey, usage }
  }

  return {
    keyFor: ({ comprehensive }) => model.keyOf(comprehensive ? 'HIGH' : 'LOW'),

    async chatAboutProduct(db, chat, signal, words) {
      const { shop, message, product, thinkingLevel } = chat
      // The owner's own words come before a model's.
      const known = answerToSmallTalk(chat) ?? (await answerFromReplies(db, chat))
      if (known) return { ...known, ...ofCatalogue }
      const sizes = promptSizes[thinkingLevel]
      const sources = createSources(continuedText(message, chat.history), marksOf(shop))
      const matches = await findProductsOrAll(db, shop, message, sizes.related + 1)
      const related = matches.filter(({ id }) => id !== product.id)
      const { foundSize, ...request } = productPrompt(chat, related, sources)
      const tool = searchTool(db, shop, sources, { ...sizes, foundSize })
      return ask<MarkedProductAnswer, ProductAnswer>({ ...request, tool }, signal, {
        build: (marked) => productAnswerOf(marked, chat, sources),
        textsOf: ({ response }) => [response],
        permitted: () => permittedBy(shop, sources),
        listening: words && {
          words,
          sources,
          subject: { productId: product.id, question: message },
        },
      })
    },

    async chatAboutRoutine(db, chat, signal, words) {
      const { shop, message, userProfile, allowAiSuggestions, thinkingLevel } = chat
      const asked = questionOf(message, chat.history, shop)
      const replied = await answerOfShop(shop, message, asked)
      if (replied) return { ...replied, steps: [], ...ofCatalogue }
      const sizes = promptSizes[thinkingLevel]
      const searchText = `${profileText(userProfile)} ${message}`
      const sources = createSources(searchText, marksOf(shop))
      const suggestions = allowAiSuggestions
        ? await findProductsOrAll(db, shop, searchText, sizes.suggestions)
        : []
      const { foundSize, ...request } = routinePrompt(chat, suggestions, sources)
      const tool = searchTool(db, shop, sources, { ...sizes, foundSize })
      const withTool = allowAiSuggestions ? { ...request, tool } : request
      return ask<MarkedRoutineAnswer, RoutineAnswer>(withTool, signal, {
        build: (marked) => routineAnswerOf(marked, chat, sources),
        textsOf: ({ response, steps }) => [
          response,
          ...steps.flatMap(({ title, instructions }) => [title, instructions]),
        ],
        permitted: () => permittedBy(shop, sources),
        listening: words && { words, sources, subject: { question: searchText } },
      })
    },

    async analyzeFace(request, signal) {
      // The provider is paid for each picture: look first whether it shows anything.
      requireUsableFace(await faces.detect(request.image.bytes, signal))
      return ask<FlatFaceAnswer, FaceAnswer>(facePrompt(request), signal, {
        build: faceAnswerOf,
        textsOf: faceTexts,
        permitted: () => ({ ...permittedBy(request.shop), describesPerson: true }),
      })
    },

    close: () => faces.close(),
  }
}

interface AnswerSteps<Marked, Answer> {
  build: (marked: Marked) => Answer
  textsOf: (answer: Marked | Answer) => string[]
  /** Asked after the answer: searches add to it. */
  permitted: () => Permitted
  /** Who hears the response before the answer is complete. */
  listening?: Listening | undefined
}

type Listening = Pick<Parameters<typeof followAnswer>[0], 'words' | 'sources' | 'subject'>

function followFor(listening: Listening, permitted: () => Permitted) {
  return () => {
    const guard = (text: string) => breachIn(text, permitted())
    const follow = followAnswer({ ...listening, breachIn: guard })
    return (partial: unknown) => objectionFor(follow(partial))
  }
}

function objectionFor(breach: Breach | undefined): string | undefined {
  return (
    breach &&
    `Your answer was held back: it has ${objections[breach]}. Answer again, within the rules.`
  )
}

/** What the model is told about an answer that was held back. It quotes nothing of it. */
const objections: Record<Breach, string> = {
  address: 'an address, number or code that is not among the links you were given',
  price: 'a price or a discount',
  cure: 'the promise of a cure',
  diagnosis: 'the name of an illness',
  rules: 'a part of your rules',
}

/** The message and the visitor's one before it, which it may continue. */
function continuedText(message: string, history: readonly Turn[]): string {
  const earlier = history.findLast(({ role }) => role === 'visitor')
  return `${message} ${earlier?.text ?? ''}`
}

/** The marks of what the shop says of itself, as far as it does. */
function marksOf({ contact, ownerPrompt }: AiShop): string[] {
  const hasContact = contact.email !== null || contact.links.length > 0
  return [...(hasContact ? ['shop'] : []), ...(ownerPrompt.trim() ? ['owner'] : [])]
}

function permittedBy(
  { contact, name, ownerPrompt, knowledge }: AiShop,
  sources?: ShownSources,
): Permitted {
  const products = sources?.products() ?? []
  const own = [...contact.links, ...(contact.email === null ? [] : [contact.email])]
  return {
    links: [...own, ...(sources?.links() ?? [])],
    names: [
      name,
      ...products.flatMap((product) => [product.name, product.brand]),
      // "Free above 50 euros": what the shop itself says of money may be repeated.
      ...knowledge.flatMap(({ answer }) => amountsIn(answer)),
    ],
    rules,
    catalogue: [ownerPrompt, ...(sources?.texts() ?? [])].join('\n'),
  }
}

function productAnswerOf(
  { response, productIds, unanswered }: MarkedProductAnswer,
  chat: ProductChat,
  sources: ShownSources,
): ProductAnswer {
  const { product, message } = chat
  const subject = { productId: product.id, question: message }
  const { text, citations } = keptText(response, sources, subject)
  const { unknown, greeting } = serviceTexts[languageOfChat(chat)].assistant
  if (!text) {
    const isQuestion = unanswered === true || message.includes('?')
    return {
      response: isQuestion ? unknown : greeting,
      productIds: [],
      citations: [],
      isUnanswered: isQuestion,
      isFree: true,
    }
  }
  const shown = new Set(sources.products().map(({ id }) => id))
  return {
    response: unanswered ? `${text}\n${unknown}` : text,
    productIds: productIds.filter((id) => shown.has(id)),
    citations,
    ...(unanswered === true && { isUnanswered: true }),
  }
}

function routineAnswerOf(
  marked: MarkedRoutineAnswer,
  chat: RoutineChat,
  sources: ShownSources,
): RoutineAnswer {
  const { message, userProfile } = chat
  const { routine, routineUnknown, asLabelled } = serviceTexts[languageOfChat(chat)].assistant
  const question = `${profileText(userProfile)} ${message}`
  const intro = keptText(marked.response, sources, { question })
  const shown = new Set(sources.products().map(({ id }) => id))
  const kept = inOrder(marked.steps).map(({ instructions, productId, ...step }) => {
    const product = productId !== null && shown.has(productId) ? productId : null
    const subject = { productId: product ?? '', question }
    return { step, productId: product, ...keptText(instructions, sources, subject) }
  })
  const steps = kept.map(({ step, productId, text }): RoutineStep => ({
    order: step.order,
    title: withoutMarks(step.title).trim(),
    productId,
    instructions: text || asLabelled,
  }))
  return {
    response: intro.text || (steps.length > 0 ? routine : routineUnknown),
    steps,
    productIds: steps.flatMap(({ productId }) => productId ?? []),
    citations: [...intro.citations, ...kept.flatMap(({ citations }) => citations)],
    ...(steps.length === 0 && { isFree: true }),
  }
}

function inOrder(steps: readonly RoutineStep[]): RoutineStep[] {
  const sorted = [...steps].sort((a, b) => a.order - b.order)
  return sorted.map((step, index) => ({ ...step, order: index + 1 }))
}

function faceAnswerOf(answer: FlatFaceAnswer): FaceAnswer {
  const { response, faceDetected, observations, concerns = [] } = answer
  return { response, analysis: { faceDetected, observations }, concerns: [...new Set(concerns)] }
}

function faceTexts(answer: FlatFaceAnswer | FaceAnswer): string[] {
  const { observations } = 'analysis' in answer ? answer.analysis : answer
  return [answer.response, ...observations.flatMap(({ area, finding }) => [area, finding])]
}

const ajv = new Ajv2020({ strict: false })
const validators = new Map<string, ValidateFunction>()
/** Providers that enforce a schema want every field required; the others forget these. */
const optional = ['unanswered', 'concerns']

/** The answer, if it matches the requested schema: not every provider enforces it. */
function requireShape<Answer>({ schema }: CompletionRequest, value: unknown): Answer {
  const key = JSON.stringify(schema)
  const required = (schema.required as string[]).filter((name) => !optional.includes(name))
  const validate = validators.get(key) ?? ajv.compile({ ...schema, required })
  validators.set(key, validate)
  if (!validate(value)) throw new ModelFailed('misbehaved', 'The answer has another shape.')
  const answer = value as Answer & { response: string }
  if (!answer.response.trim()) throw new ModelFailed('misbehaved', 'The answer is empty.')
  return answer
}
