import type { Kysely } from 'kysely'
import { packs } from '../../../language/packs.ts'
import { wordsOf } from '../../../language/words.ts'
import type { Database } from '../../../db/schema.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import { admittedOf, harmlessOf } from '../finding/admission.ts'
import type { AiShop, RoutineAnswer, RoutineChat, RoutineStep } from '../ai_model.ts'
import { type Constraints, constraintsOf } from '../understanding/constraints.ts'
import {
  questionOf,
  type Term,
  termOfNeed,
  termsOf,
  visitorTurns,
} from '../understanding/questions.ts'
import { answerFromKnowledge, answerOfShop } from '../finding/shop_knowledge.ts'
import {
  findForGroups,
  findProducts,
  type FoundProduct,
  profileText,
} from '../finding/retrieval.ts'
import {
  areaOf,
  areaOfProduct,
  isSet,
  knownStageOf,
  type Stage,
  stageOf,
  stagesOf,
} from './routine_stages.ts'
import { directionsOf } from './directions.ts'

/** Products suggested where the visitor gives no number of steps, outside a routine in stages. */
const usualSteps = 4
/** Sentences of each product in a step, by thinking level. */
const sentencesOfStep = { LOW: 1, MEDIUM: 2, HIGH: 4 }
/** Names of products that were left out, in the answer. */
const maxNamed = 3

interface Wishes {
  /** Everything the visitor said, oldest first. */
  text: string
  terms: Term[]
  constraints: Constraints
}

interface RoutineChoice {
  chosen: PublishedProduct[]
  /** Products that fit the wishes, but not the constraints. */
  refused: PublishedProduct[]
}

/**
 * Builds a routine from the visitor's products in order of use, filled up with published products
 * that fit. What the visitor demands holds for every product, before any is chosen. Instructions are
 * quoted from the products.
 */
export async function routineFromCatalogue(
  db: Kysely<Database>,
  chat: RoutineChat,
): Promise<RoutineAnswer> {
  const { shop, message, images } = chat
  const question = questionOf(message, chat.history, shop)
  const replied = await answerOfShop(shop, message, question)
  if (replied) return { ...replied, steps: [] }
  const wishes = await wishesOf(chat)
  const { language } = question
  if (wishes.constraints.areTooMany) return undemanded(language)
  const { chosen, refused } = await choose(db, chat, wishes)
  const ofShop = chosen.length === 0 ? answerFromKnowledge(shop, question) : undefined
  if (ofShop) return { ...ofShop, steps: [] }
  const ordered = chosen
    .map((product, position) => ({ product, position, stage: stageOf(product, shop.sector) }))
    .sort((a, b) => a.stage - b.stage || a.position - b.position)
  const directions = ordered.map(({ product }) =>
    directionsOf(product, language, sentencesOfStep[chat.thinkingLevel]).map(({ text }) => text),
  )
  const texts = serviceTexts[language].assistant
  const steps = ordered.map(({ product, stage }, index): RoutineStep => ({
    order: index + 1,
    title: serviceTexts[language].routineStages[stagesOf(shop.sector)[stage]!.name],
    productId: product.id,
    instructions: directions[index]!.join(' ') || texts.asLabelled,
  }))
  const citations = ordered.flatMap(({ product }, index) =>
    directions[index]!.map((sentence) => ({ productId: product.id, sentence })),
  )
  const names = refused.slice(0, maxNamed).map(({ name }) => name)
  const lines = [
    steps.length > 0 ? texts.routine : texts.routineUnknown,
    ...ordered.map(({ product }, index) => `${index + 1}. ${product.name}`),
    ...(names.length > 0 ? [`${texts.leftOut} ${names.join(', ')}.`] : []),
    ...(images.length > 0 ? [texts.picturesUnread] : []),
  ]
  const productIds = ordered.map(({ product }) => product.id)
  return {
    response: lines.join('\n'),
    steps,
    productIds,
    citations,
    ...(steps.length === 0 && { isFree: true }),
  }
}

/** Says that more is demanded than can be considered; nothing is suggested then. */
function undemanded(language: Language): RoutineAnswer {
  const { tooManyDemands } = serviceTexts[language].assistant
  return { response: tooManyDemands, steps: [], productIds: [], citations: [], isFree: true }
}

/** Words of every request for a routine, and of demands that are constraints. */
const notWished = new Set(
  `day bedtime perfume vegan allergy pregnant breastfeed stock buy set piece often version age family
  professional how_to_use gluten`.split(/\s+/),
)
/** In beauty also what every product speaks of. */
const notWishedInBeauty = new Set(
  'clean skin dry oil sensitive combination normal_skin baby'.split(' '),
)

async function wishesOf({ shop, message, history, userProfile }: RoutineChat): Promise<Wishes> {
  const texts = [...visitorTurns(history).reverse(), profileText(userProfile), message]
  const constraints = await constraintsOf(texts, shop.synonyms)
  const { without, freeOf, mustBe } = constraints
  const demanded = new Set([...without, ...freeOf, ...mustBe].map(({ word }) => word))
  const terms = termsOf(texts.join('\n'), shop.synonyms).filter(
    (term) =>
      !demanded.has(term.word) &&
      !term.isLight &&
      !requestWords.has(term.word) &&
      !term.meanings.some(
        (meaning) =>
          notWished.has(meaning) || (shop.sector === 'BEAUTY' && notWishedInBeauty.has(meaning)),
      ),
  )
  return { text: texts.join('\n'), terms, constraints }
}

const requestWords = new Set(packs.flatMap(({ routines }) => wordsOf(routines.requests)))

async function choose(
  db: Kysely<Database>,
  chat: RoutineChat,
  { text, terms, constraints }: Wishes,
): Promise<RoutineChoice> {
  const { shop, selected, allowAiSuggestions } = chat
  const kept = [...(await harmlessOf(selected, constraints))]
  const refused = selected.filter((product) => !kept.includes(product))
  const room = (constraints.maxSteps ?? Infinity) - kept.length
  if (!allowAiSuggestions || constraints.onlySelected || room <= 0) return { chosen: kept, refused }
  const suggested =
    shop.sector === 'BEAUTY'
      ? await fillStages(db, shop, { text, terms, constraints }, kept)
      : await pickBest(db, shop, { text, terms, constraints }, kept)
  return {
    chosen: [...kept, ...suggested.chosen.slice(0, room)],
    refused: [...refused, ...suggested.refused],
  }
}

/** The products that fit the wishes best. */
async function pickBest(
  db: Kysely<Database>,
  shop: AiShop,
  { terms, constraints }: Wishes,
  kept: readonly PublishedProduct[],
): Promise<RoutineChoice> {
  const found = (await findProducts(db, shop, terms)).filter(
    ({ product, covered }) =>
      covered.length > 0 && product.stock > 0 && !kept.some(({ id }) => id === product.id),
  )
  const harmless = await admittedOf(productsOf(found), constraints)
  const admitted = found.filter(({ product }) => harmless.has(product))
  const best = admitted[0]?.score ?? 0
  const good = admitted.filter(({ score }) => score >= best * 0.5)
  return {
    chosen: good.slice(0, usualSteps).map(({ product }) => product),
    refused: productsOf(found.filter((match) => !admitted.includes(match))),
  }
}

const productsOf = (found: readonly FoundProduct[]) => found.map(({ product }) => product)

/** The best product for each stage that the visitor's own products leave empty. */
async function fillStages(
  db: Kysely<Database>,
  shop: AiShop,
  { text, terms, constraints }: Wishes,
  kept: readonly PublishedProduct[],
): Promise<RoutineChoice> {
  const filled = new Set(kept.map((product) => stageOf(product, shop.sector)))
  const area = areaOf(text, shop.sector)
  const empty = suggestedStages(shop).filter(([index]) => !filled.has(index))
  const groups = empty.map(([, stage]) => termsOf(stage.words))
  const ofNeeds = [...constraints.needs].map(termOfNeed)
  const found = await findForGroups(db, shop, groups, [...terms, ...ofNeeds])
  const fittings = empty.map(([index], place) =>
    found[place]!.filter(
      ({ product }) =>
        knownStageOf(product, shop.sector) === index &&
        product.stock > 0 &&
        !isSet(product) &&
        areaOfProduct(product, shop.sector) === area &&
        !kept.some(({ id }) => id === product.id),
    ),
  )
  const admitted = await admittedOf(fittings.flatMap(productsOf), constraints)
  const choices = empty.map(([index], place) => {
    const fitting = fittings[place]!
    return { index, fitting, wished: bestForWishes(fitting, { terms, ofNeeds }, admitted) }
  })
  // A product that nothing of what was wished for leads to is not part of the routine.
  const { needs, time, freeOf, mustBe } = constraints
  const isDemanding = needs.size + freeOf.length + mustBe.length > 0 || time !== undefined
  const isWished = terms.length === 0 || isDemanding || choices.some(({ wished }) => wished.covers)
  const inOrder = [...choices].sort((a, b) => importance(a.index) - importance(b.index))
  return {
    chosen: isWished ? inOrder.flatMap(({ wished }) => wished.product ?? []) : [],
    refused: isWished
      ? choices.flatMap(({ fitting }) =>
          productsOf(fitting).filter((product) => !admitted.has(product)),
        )
      : [],
  }
}

function bestForWishes(
  fitting: readonly FoundProduct[],
  { terms, ofNeeds }: { terms: readonly Term[]; ofNeeds: readonly Term[] },
  admitted: ReadonlySet<PublishedProduct>,
): { product: PublishedProduct | undefined; covers: boolean } {
  const countIn = ({ covered }: FoundProduct, some: readonly Term[]) =>
    covered.filter((term) => some.includes(term)).length
  const wished = (match: FoundProduct) => countIn(match, terms)
  const needed = (match: FoundProduct) => countIn(match, ofNeeds)
  // What is silent on a need may still be just what was asked for.
  const [best] = fitting
    .filter(({ product }) => admitted.has(product))
    .sort((a, b) => needed(b) + wished(b) - needed(a) - wished(a) || wished(b) - wished(a))
  return { product: best?.product, covers: best !== undefined && wished(best) > 0 }
}

/** Where the number of steps is limited: cleanse, moisturise and protect come before the rest. */
function importance(stage: number): number {
  return [0, 4, 3, 1, 2, 5][stage] ?? stage
}

/** Make-up is never suggested, only used if the visitor selected it. */
function suggestedStages({ sector }: AiShop): [number, Stage][] {
  return [...stagesOf(sector).entries()].slice(0, -1)
}
