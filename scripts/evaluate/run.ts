import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/schema.ts'
import {
  answerProductChat,
  answerRoutineChat,
  readChatProduct,
  readSelected,
  readShop,
} from '../../src/domain/assistant/ai_chats.ts'
import type { AiModel, Turn } from '../../src/domain/assistant/ai_model.ts'
import { withoutMarkup } from '../../src/language/markup.ts'
import { findProductIds } from '../../src/queries/catalogue/product_lists.ts'
import type { Cases, Constraint, Question, Replied, Routine, Search } from './cases.ts'
import { judge, keeps, openingOf, type Verdict } from './judge.ts'
import type { StoredShop } from './shops.ts'

export interface QuestionResult {
  question: Question
  /** The language of the product's text is that of the question. */
  sameLanguage: boolean
  verdict: Verdict
  response: string
  /** The first product that the answer names is one that answers it. */
  isRightFirst: boolean
  /** The yes or no that it opens with. */
  opening: 'yes' | 'no' | undefined
  /** Quotes that do not stand in the text of a published product. */
  invented: string[]
  milliseconds: number
  tokens: number
}

export interface ReplyResult {
  reply: Replied
  message: string
  /** Whether the reply was given, and whether it should have been. */
  isGiven: boolean
  isLike: boolean
}

export interface RoutineResult {
  routine: Routine
  broken: Constraint[]
  steps: string[]
  response: string
  milliseconds: number
}

export interface SearchResult {
  search: Search
  /** Share of the products to be found that are among the first ten. */
  recall: number
  /** Whether the product that must come first does. */
  isFirst: boolean
  found: string[]
}

export interface Results {
  questions: QuestionResult[]
  replies: ReplyResult[]
  routines: RoutineResult[]
  searches: SearchResult[]
}

interface Place {
  db: Kysely<Database>
  aiModel: AiModel
  shops: Map<string, StoredShop>
  thinkingLevel: 'LOW' | 'MEDIUM' | 'HIGH'
}

export async function runCases(place: Place, cases: Cases): Promise<Results> {
  const results: Results = { questions: [], replies: [], routines: [], searches: [] }
  for (const question of cases.questions) results.questions.push(await runQuestion(place, question))
  for (const reply of cases.replies) results.replies.push(...(await runReply(place, reply)))
  for (const routine of cases.routines) results.routines.push(await runRoutine(place, routine))
  for (const search of cases.searches) results.searches.push(await runSearch(place, search))
  return results
}

/** Turkish texts have letters that English ones do not. */
const isTurkish = (text: string) => /[çğışöüÇĞİŞÖÜ]/.test(text)

function textOf({ description, information }: { description: string; information: string }) {
  return `${description}\n${information}`
}

async function runQuestion(place: Place, question: Question): Promise<QuestionResult> {
  const { db, aiModel, thinkingLevel } = place
  const stored = place.shops.get(question.shop)!
  const shop = await readShop(db, stored.workspaceId)
  const about = await readChatProduct(db, shop, stored.idOf(question.product))
  const history: Turn[] = []
  const started = performance.now()
  let tokens = 0
  const ask = async (message: string) => {
    const chat = { shop, ...about, message, history: [...history], thinkingLevel }
    const answer = await answerProductChat({ db, aiModel }, chat)
    history.push({ role: 'visitor', text: message }, { role: 'assistant', text: answer.response })
    tokens += answer.usage.inputTokens + answer.usage.outputTokens
    return answer
  }
  for (const turn of question.turns ?? []) await ask(turn)
  const { response, productIds } = await ask(question.message)
  const milliseconds = performance.now() - started
  const product = stored.shop.products.find(({ key }) => key === question.product)!
  const answer = { response, products: productIds.map((id) => stored.keyOf(id)) }
  const published = withoutMarkup(stored.shop.products.map(textOf).join('\n'))
  return {
    question,
    sameLanguage: isTurkish(textOf(product)) === (question.lang === 'tr'),
    verdict: judge(question, stored.shop, answer),
    response,
    isRightFirst: isRightFirst(question, answer.products),
    opening: openingOf(response),
    invented: quotesOf(response).filter((quote) => !published.includes(quote)),
    milliseconds,
    tokens,
  }
}

function isRightFirst({ right = [] }: Question, [first]: readonly string[]): boolean {
  return first === undefined ? right.length === 0 : right.includes(first)
}

/** Asks like and unlike questions where the owner has replied to one. */
async function runReply({ db, aiModel, shops }: Place, reply: Replied): Promise<ReplyResult[]> {
  const stored = shops.get(reply.shop)!
  const shop = await readShop(db, stored.workspaceId)
  const about = await readChatProduct(db, shop, stored.idOf(reply.product))
  const asked = [
    { message: reply.question, isLike: true },
    ...reply.like.map((message) => ({ message, isLike: true })),
    ...reply.unlike.map((message) => ({ message, isLike: false })),
  ]
  const results: ReplyResult[] = []
  for (const { message, isLike } of asked) {
    const chat = { shop, ...about, replies: [reply], message, history: [] }
    const { response } = await answerProductChat({ db, aiModel }, { ...chat, thinkingLevel: 'LOW' })
    results.push({ reply, message, isLike, isGiven: response.includes(`“${reply.answer}”`) })
  }
  return results
}

function quotesOf(response: string): string[] {
  return [...response.matchAll(/“([^”]*)”/g)].map(([, quote]) => quote!)
}

async function runRoutine(place: Place, routine: Routine): Promise<RoutineResult> {
  const { db, aiModel, thinkingLevel } = place
  const stored = place.shops.get(routine.shop)!
  const shop = await readShop(db, stored.workspaceId)
  const selected = await readSelected(
    db,
    shop,
    (routine.selected ?? []).map((key) => stored.idOf(key)),
  )
  const history: Turn[] = []
  const started = performance.now()
  const ask = async (message: string) => {
    const answer = await answerRoutineChat(
      { db, aiModel },
      {
        shop,
        message,
        history: [...history],
        userProfile: routine.profile ?? {},
        selected,
        allowAiSuggestions: true,
        images: [],
        thinkingLevel,
      },
    )
    history.push({ role: 'visitor', text: message }, { role: 'assistant', text: answer.response })
    return answer
  }
  for (const turn of routine.turns ?? []) await ask(turn)
  const { response, steps } = await ask(routine.message)
  const keys = steps.flatMap(({ productId }) => (productId ? stored.keyOf(productId) : []))
  const broken = routine.constraints.filter((constraint) => !keeps(constraint, keys))
  return { routine, broken, steps: keys, response, milliseconds: performance.now() - started }
}

async function runSearch({ db, shops }: Place, search: Search): Promise<SearchResult> {
  const stored = shops.get(search.shop)!
  const { ids } = await findProductIds(
    db,
    stored.workspaceId,
    {
      search: search.query,
      status: ['ACTIVE'],
      stock: undefined,
      tagId: undefined,
      collectionId: undefined,
    },
    { page: 1, pageSize: 10, sort: undefined },
  )
  const found = ids.match(/\w+/g)?.map((id) => stored.keyOf(id)) ?? []
  const hits = search.finds.filter((key) => found.includes(key))
  return {
    search,
    recall: hits.length / search.finds.length,
    isFirst: search.first === undefined || found[0] === search.first,
    found,
  }
}
