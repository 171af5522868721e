import type { Kysely } from 'kysely'
import { wordsOf } from '../../core/words.ts'
import type { Database } from '../../db/schema.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import type { AiShop, RoutineAnswer, RoutineChat, RoutineStep } from './ai_model.ts'
import { languageOfChat } from './local_answers.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import { covers, findProducts, profileText } from './retrieval.ts'
import { areaOf, isSet, type Stage, stageOf, stagesOf } from './routine_stages.ts'
import { type Sentence, sentencesOfProduct } from './sentences.ts'
import { type Topic, topicsOf } from './vocabulary.ts'

/**
 * Builds a routine from the visitor's products in order of use, filled up with published products
 * that match their profile. Instructions are quoted from the products.
 */
export async function routineFromCatalogue(
  db: Kysely<Database>,
  chat: RoutineChat,
): Promise<RoutineAnswer> {
  const { shop, message, selected, userProfile, images } = chat
  const searchText = `${profileText(userProfile)} ${message}`
  const language = languageOfChat(message, chat.history)
  const suggestions = chat.allowAiSuggestions
    ? await suggestionsFor(db, shop, searchText, selected)
    : []

  const ordered = [...selected, ...suggestions]
    .map((product, position) => ({ product, position, stage: stageOf(product, shop.sector) }))
    .sort((a, b) => a.stage - b.stage || a.position - b.position)
  const directions = ordered.map(({ product }) => directionsOf(product, language))
  const { asLabelled, routine, routineUnknown, picturesUnread } = serviceTexts[language].assistant
  const steps = ordered.map(({ product, stage }, index): RoutineStep => ({
    order: index + 1,
    title: serviceTexts[language].routineStages[stagesOf(shop.sector)[stage]!.name],
    productId: product.id,
    instructions: directions[index] ?? asLabelled,
  }))
  const citations = ordered.flatMap(({ product }, index) => {
    const sentence = directions[index]
    return sentence === undefined ? [] : { productId: product.id, sentence }
  })
  const lines = [
    steps.length > 0 ? routine : routineUnknown,
    ...ordered.map(({ product }, index) => `${index + 1}. ${product.name}`),
    ...(images.length > 0 ? [picturesUnread] : []),
  ]
  const productIds = ordered.map(({ product }) => product.id)
  return { response: lines.join('\n'), steps, productIds, citations }
}

/** Finds the best matching product for each empty stage. */
async function suggestionsFor(
  db: Kysely<Database>,
  shop: AiShop,
  searchText: string,
  selected: readonly PublishedProduct[],
): Promise<PublishedProduct[]> {
  const wishes = topicsOf(searchText, shop.sector).filter(({ weight }) => weight >= 1)
  if (wishes.length === 0) return []
  const filled = new Set(selected.map((product) => stageOf(product, shop.sector)))
  const area = areaOf(searchText, shop.sector)
  const suggestions: PublishedProduct[] = []
  for (const [index, stage] of suggestedStages(shop)) {
    if (filled.has(index)) continue
    const topics = topicsForStage(stage, wishes)
    const [match] = (await findProducts(db, shop, topics)).filter(
      (product) =>
        stageOf(product, shop.sector) === index &&
        product.stock > 0 &&
        !isSet(product) &&
        areaOf(product.name, shop.sector) === area &&
        !selected.some(({ id }) => id === product.id) &&
        wishes.some((wish) => covers(wordsOfProduct(product), wish)),
    )
    if (match) suggestions.push(match)
  }
  return suggestions
}

/** Make-up is never suggested, only used if the visitor selected it. */
function suggestedStages({ sector }: AiShop): [number, Stage][] {
  const stages = [...stagesOf(sector).entries()].filter(([, stage]) => stage.words !== '')
  return sector === 'BEAUTY' ? stages.slice(0, -1) : stages
}

/** The visitor's topics, plus the usual names of the stage's products. */
function topicsForStage({ words }: Stage, wishes: readonly Topic[]): Topic[] {
  return [...wishes, { key: 'stage', words: wordsOf(words), weight: 2 }]
}

function wordsOfProduct({ name, brand, tags, description, information }: PublishedProduct) {
  return [...new Set(wordsOf([name, brand, ...tags, description, information].join(' ')))]
}

const usage = wordsOf('use usage directions apply kullanım kullanımı uygulama')

/** The sentence that says how to use the product, or else what it is. */
function directionsOf(product: PublishedProduct, language: Language): string | undefined {
  const sentences = sentencesOfProduct(product)
  const bestOf = (list: Sentence[]) =>
    list.find((sentence) => sentence.language === language) ?? list[0]
  const directions = sentences.filter(({ label }) => label.some((word) => usage.includes(word)))
  return (bestOf(directions) ?? bestOf(sentences))?.text
}
