import type { Kysely } from 'kysely'
import { invalidInput } from '../../../core/errors.ts'
import type { FieldErrors, Reason } from '../../../texts/refusals.ts'
import { mapInTurns } from '../../../fairness/yielding.ts'
import type { Database } from '../../../db/schema.ts'
import { getAiShop } from '../../../queries/assistant/ai_shops.ts'
import { listSalesLinks } from '../../../queries/catalogue/products.ts'
import { wordingOf } from '../../../queries/assistant/unanswered_questions.ts'
import { leadsIn } from './addresses.ts'
import type { OwnerReply } from '../ai_model.ts'
import { commandIn } from './planted.ts'
import type { Question } from '../understanding/questions.ts'
import { type Asker, type Likeness, likeQuestions } from './likeness.ts'
import { languageOf } from '../../../language/small_words.ts'
import { anyPattern, wordSource } from '../../../language/patterns.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'

/** A reply to what is asked, word for word or in other words. */
export interface FoundReply {
  reply: OwnerReply
  isSameWording: boolean
  likeness: Likeness
}

/** A question, and the replies that may answer it, the preferred ones first. */
interface RepliedQuestion extends Asker {
  replies: readonly OwnerReply[]
}

/**
 * The owner's reply to the question of a chat: to the same wording, or else to a like question,
 * in the visitor's language before others.
 */
export async function findReply(
  { replies, ...asker }: RepliedQuestion,
  question: Question,
): Promise<FoundReply | undefined> {
  if (replies.length === 0) return undefined
  const { key } = wordingOf(asker.message)
  const same = replies.find((reply) => wordingOf(reply.question).key.equals(key))
  if (same) return { reply: same, isSameWording: true, likeness: 'sure' }
  const lacks = asksLacking(asker.message)
  // A yes to "free of nuts?" is no yes to "with nuts?"
  const isFitting = ({ question: asked, answer }: OwnerReply) =>
    asksLacking(asked) === lacks || !opensWithYesOrNo.test(foldedText(answer))
  const fitting = replies.filter(isFitting)
  const questions = fitting.map((reply) => reply.question)
  const like = (await likeQuestions(asker, questions, question)).flatMap(({ text, likeness }) =>
    fitting.flatMap((reply) => (reply.question === text ? { reply, likeness } : [])),
  )
  const best = like.filter(({ likeness }) => likeness === like[0]?.likeness)
  const isReadable = ({ answer }: OwnerReply) => languageOf(answer) === question.language
  const found = best.find(({ reply }) => isReadable(reply)) ?? best[0]
  return found && { ...found, isSameWording: false }
}

const lacking = anyPattern(({ certainty }) => certainty?.asksLacking)
const opensWithYesOrNo = new RegExp(`^(?:${wordSource(({ questions }) => questions.yesOrNo)})\\b`)

/** Whether a question asks if there is none of something. */
const asksLacking = (text: string) => lacking.test(wordsOf(text).join(' '))

const reasons = ['replyAddress', 'shopReplyAddress', 'replyAccount', 'replyInstruction'] as const

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
  const of = productId === null ? 'shop' : 'product'
  const fault = faultIn(text, { ...own, links: [...own.links, ...sales] }, of)
  if (fault) throw invalidInput({ answer: fault })
  return text.trim()
}

/** Refuses answers of the shop, and questions to it, as single replies are refused. */
export async function requireRepeatableEntries(
  db: Kysely<Database>,
  workspaceId: string,
  entries: readonly OwnerReply[],
): Promise<OwnerReply[]> {
  const own = await ownPlaces(db, workspaceId)
  const faults: FieldErrors = {}
  const checked = entries.flatMap(({ question, answer }, at) => [
    { field: `entries.${at}.question`, text: question },
    { field: `entries.${at}.answer`, text: answer },
  ])
  await mapInTurns(checked, ({ field, text }) => {
    const fault = faultIn(text, own, 'shop')
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

/** Why chats would not repeat a text, which is about a product or about the shop. */
function faultIn(text: string, own: OwnPlaces, of: 'product' | 'shop'): Reason | undefined {
  const leads = leadsIn(text, own)
  const address = leads.find(({ kind }) => kind === 'place')?.text
  const found = {
    replyAddress: of === 'product' ? address : undefined,
    shopReplyAddress: of === 'shop' ? address : undefined,
    replyAccount: leads.find(({ kind }) => kind === 'account')?.text,
    replyInstruction: commandIn(text),
  }
  for (const key of reasons) {
    const words = found[key]
    if (words === undefined) continue
    return [key, { words: words.length > maxQuoted ? `${words.slice(0, maxQuoted)}…` : words }]
  }
  return undefined
}
