import type { Kysely } from 'kysely'
import { invalidInput } from '../../../core/errors.ts'
import type { FieldErrors, Reason } from '../../../texts/refusals.ts'
import { mapInTurns } from '../../../fairness/yielding.ts'
import { packs } from '../../../language/packs.ts'
import { foldedText } from '../../../language/words.ts'
import type { Database } from '../../../db/schema.ts'
import { getAiShop } from '../../../queries/assistant/ai_shops.ts'
import { listSalesLinks } from '../../../queries/catalogue/products.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { wordingOf } from '../../../queries/assistant/unanswered_questions.ts'
import { leadsIn } from './addresses.ts'
import type { AiShop, Reply } from '../ai_model.ts'
import { hasForm, strengthOf, strengthOrNear, type Words, wordsIn } from './strength.ts'
import { commandIn } from './planted.ts'
import { type Question, questionOf, type Term } from '../understanding/questions.ts'
import { meaningsOfWord } from '../../../language/lexicon.ts'
import { isSubstance, type Meaning } from '../../../language/meanings.ts'
import { languageOf } from '../../../language/small_words.ts'
import { strengths, strong } from './weights.ts'

/** A reply to what is asked, word for word or in other words. */
export interface FoundReply {
  reply: Reply
  isSameWording: boolean
}

/** What is asked, and what it may be about. */
interface Asked {
  shop: AiShop
  message: string
  /** Those that are looked through, the preferred ones first. */
  replies: readonly Reply[]
  /** The product at hand, if any. */
  product?: PublishedProduct
}

/**
 * The owner's reply to the question of a chat: to the same wording, or else to a like question,
 * in the visitor's language before others.
 */
export async function findReply(
  { shop, product, message, replies }: Asked,
  question: Question,
): Promise<FoundReply | undefined> {
  if (replies.length === 0) return undefined
  const { key } = wordingOf(message)
  const same = replies.find((reply) => wordingOf(reply.question).key.equals(key))
  if (same) return { reply: same, isSameWording: true }
  const asked = sayingOf(question, message, product)
  const areAlike = await mapInTurns(replies, ({ question: text }) =>
    alike(asked, sayingOf(questionOf(text, [], shop.synonyms), text, product)),
  )
  const like = replies.filter((_, index) => areAlike[index])
  const reply = like.find(({ answer }) => languageOf(answer) === question.language) ?? like[0]
  return reply && { reply, isSameWording: false }
}

/** What two questions are compared by. */
interface Saying {
  question: Question
  words: Words
  /** What is asked about, without the words that only name the product. */
  topics: readonly Term[]
  numbers: string
}

function sayingOf(question: Question, text: string, product?: PublishedProduct): Saying {
  const ofProduct = wordsIn(product ? `${product.name} ${product.brand}` : '')
  return {
    question,
    words: wordsIn(text),
    topics: question.terms.filter((term) => !hasForm(ofProduct, term.word)),
    numbers: numbersIn(text),
  }
}

const numerals = new Map(packs.flatMap(({ numbers: { values } }) => Object.entries(values)))

/** The numbers of a text, also those in words; one is often but an article. */
function numbersIn(text: string): string {
  const found = (foldedText(text).match(/\d+|\p{L}+/gu) ?? []).map(
    (word) => numerals.get(word) ?? Number(word),
  )
  return found.filter((number) => number !== 1 && !Number.isNaN(number)).join(' ')
}

/** Meanings that a question may have or leave out: "contains zinc", "zinc in it", "good for dandruff". */
const optional = new Set([
  'contain',
  'bin',
  'origin',
  'help_with',
  'result',
  'fit',
  'legal',
  'level_setting',
  'serving_people',
])

/** What a question is about. */
export const isWeighty = (term: Term) =>
  !term.isLight && !term.meanings.some((meaning) => optional.has(meaning))

/** Verbs that only lead to a thing, where one is named: "put it in the oven", "connect headphones". */
const leading = new Set([
  'use',
  'suitable',
  'work_with',
  'compatible',
  'carry',
  'go_in',
  'eat',
  'mount_on',
  'attach',
  'connect_to',
  'connect',
  'run_motor',
  'run_for',
  'rub',
  'feed',
  'fit_in',
  'hold_hand',
  'next_day',
  'stock',
])

const leads = ({ meanings }: Term) => meanings.some((meaning) => leading.has(meaning))

/** What a question is about: without the verbs that lead to it, and if there is more, without light words. */
function subjectsOf(topics: readonly Term[]): readonly Term[] {
  const weighty = topics.filter(isWeighty)
  const things = weighty.filter((term) => !leads(term))
  if (things.length > 0) return things
  return weighty.length > 0 ? weighty : topics
}

/**
 * Whether two questions ask the same: each says what the other asks about, and they want the same
 * kind of answer. A word more is another question, unless it cannot be compared because it is of
 * the other language and in no lexicon.
 */
function alike(a: Saying, b: Saying): boolean {
  if (a.numbers !== b.numbers || !wantAlike(a.question, b.question)) return false
  if (a.question.asksWhether !== b.question.asksWhether && (isOfUse(a) || isOfUse(b))) return false
  const crosses = a.question.language !== b.question.language
  return covers(a, b, crosses) && covers(b, a, crosses)
}

/** Whether something is done with a substance: eating with milk is another thing than milk in it. */
function isOfUse({ topics, question: { asksWhether } }: Saying): boolean {
  const isOne = ({ meanings }: Term) => meanings.some(isSubstance)
  return !asksWhether && topics.some(isOne) && !topics.every(isOne)
}

function wantAlike(a: Question, b: Question): boolean {
  const isMeasured = a.quantities.length > 0 || b.quantities.length > 0
  return (
    // "Weight?" asks what "How heavy is it?" does, and "Colours?" what "Which colours are there?" does.
    (a.isOpen === b.isOpen || isMeasured || a.answerClass !== undefined) &&
    a.wantsOthers === b.wantsOthers &&
    a.answerClass === b.answerClass &&
    (measureAlike(a, b) || measureAlike(b, a))
  )
}

/** Whether two questions want the same measured: "What is the acidity?" asks for a number, too. */
function measureAlike(a: Question, b: Question): boolean {
  if (a.quantities.length === 0) return b.quantities.length === 0 || a.isGeneral
  return a.quantities.some((kind) => b.quantities.includes(kind))
}

/** Whether one question says everything that the other is about. */
function covers({ words, topics: own }: Saying, { topics }: Saying, crosses: boolean): boolean {
  const compared = subjectsOf(topics)
  const known = crosses ? compared.filter(({ meanings }) => meanings.length > 0) : compared
  const said = known.filter((term) => says(words, term))
  if (said.length === 0) return false
  const [other, ...more] = known.filter((term) => !said.includes(term))
  // What has to do with a thing that both name adds nothing: "dandruff", "dandruff in the hair".
  if (other === undefined || more.length > 0) return other === undefined
  const subjects = subjectsOf(own).map(({ word }) => word)
  return strengthOf(other, wordsIn(subjects.join(' '))) > 0
}

/**
 * Words of known meanings that lie near each other are often opposites, iPhone and Android, and a word may
 * mean something else in a phrase: "break", "break in".
 */
function says(words: Words, term: Term): boolean {
  const isSameSense = ({ meanings }: Term) =>
    meanings.length === 0 || hasKindOf(words, meanings) || strengthOf(term, words) < strengths.word
  if (!isSameSense(term)) return false
  const unknown = words.words.filter((word) => meaningsOfWord(word).length === 0)
  const content = term.meanings.length === 0 ? words.words : unknown
  return strengthOrNear(term, words, content) >= strong
}

const hasKindOf = ({ meanings }: Words, wanted: readonly Meaning[]) =>
  wanted.some((meaning) => meanings.has(meaning))

/** How much of a reply its refusal quotes. */
const maxQuoted = 60

/**
 * Refuses a reply that leads to an address which the shop has not entered as its own, names an account
 * to pay to or tells a model what to do: an agent may have been talked into it. Telephone numbers and
 * ways of paying are an owner's to state. Returns other replies, trimmed.
 */
export async function requireRepeatable(
  db: Kysely<Database>,
  { workspaceId, productId }: { workspaceId: string; productId: string | null },
  text: string,
): Promise<string> {
  const own = await ownPlaces(db, workspaceId)
  const sales = productId === null ? [] : await listSalesLinks(db, workspaceId, productId)
  const fault = faultIn(text, { ...own, links: [...own.links, ...sales] })
  if (fault) throw invalidInput({ answer: fault })
  return text.trim()
}

/** Refuses answers of the shop, and questions to it, as single replies are refused. */
export async function requireRepeatableEntries(
  db: Kysely<Database>,
  workspaceId: string,
  entries: readonly Reply[],
): Promise<Reply[]> {
  const own = await ownPlaces(db, workspaceId)
  const faults: FieldErrors = {}
  const checked = entries.flatMap(({ question, answer }, at) => [
    { field: `entries.${at}.question`, text: question },
    { field: `entries.${at}.answer`, text: answer },
  ])
  await mapInTurns(checked, ({ field, text }) => {
    const fault = faultIn(text, own)
    if (fault) faults[field] = fault
  })
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
  return entries.map(({ question, answer }) => ({
    question: question.trim(),
    answer: answer.trim(),
  }))
}

interface OwnPlaces {
  links: readonly string[]
  names: readonly string[]
}

/** Addresses and names that the shop has entered as its own. */
async function ownPlaces(db: Kysely<Database>, workspaceId: string): Promise<OwnPlaces> {
  const { name, contactEmail, socialLinks } = await getAiShop(db, workspaceId)
  return {
    links: [...socialLinks, ...(contactEmail === null ? [] : [contactEmail])],
    names: [name],
  }
}

/** Why chats would not repeat a text. */
function faultIn(text: string, own: OwnPlaces): Reason | undefined {
  const leads = leadsIn(text, own)
  const found = {
    replyAddress: leads.find(({ kind }) => kind === 'place')?.text,
    replyAccount: leads.find(({ kind }) => kind === 'account')?.text,
    replyInstruction: commandIn(text),
  }
  for (const key of ['replyAddress', 'replyAccount', 'replyInstruction'] as const) {
    const words = found[key]
    if (words === undefined) continue
    return [key, { words: words.length > maxQuoted ? `${words.slice(0, maxQuoted)}…` : words }]
  }
  return undefined
}
