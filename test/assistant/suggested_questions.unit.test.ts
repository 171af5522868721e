import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/schema.ts'
import { answerFromCatalogue } from '../../src/domain/assistant/built_in/local_answers.ts'

/** A question that only needs the product at hand asks the database for nothing. */
const db = undefined as unknown as Kysely<Database>

function ask(questions: readonly string[]) {
  const product = {
    id: 'prd_1',
    name: 'Kettle',
    brand: '',
    description: 'It is made of steel. It holds 2 litres.',
    information: '',
    tags: [],
    stock: 1,
    sales: [],
  }
  const contact = { email: null, links: [] }
  const shop = {
    workspaceId: 'w',
    name: 'Shop',
    sector: 'GENERAL' as const,
    ownerPrompt: '',
    contact,
    synonyms: [],
    knowledge: [],
  }
  return answerFromCatalogue(db, {
    shop,
    product,
    questions,
    replies: [],
    message: 'Who designed the label?',
    history: [],
    thinkingLevel: 'LOW',
  })
}

/** The questions, and how many of them were read. */
function counted(questions: string[]) {
  const read = { questions: 0 }
  const all = new Proxy(questions, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) read.questions++
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  return { all, read }
}

const unanswered = Array.from({ length: 48 }, () => 'Is the parcel insured?')

test('an answer that is not known tries no more questions than it suggests', async () => {
  const { all, read } = counted(['Is it steel?', 'How many litres?', ...unanswered])
  const { response, isUnanswered } = await ask(all)
  expect(isUnanswered).toBe(true)
  expect(response.split('\n').slice(1)).toEqual([
    'You could ask:',
    '- Is it steel?',
    '- How many litres?',
  ])
  // The third is taken from the list, and not looked at.
  expect(read.questions).toBe(3)
})

test('others get their turn after each question that was tried', async () => {
  let turns = 0
  let isOver = false
  const other = () => {
    turns++
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  await ask(unanswered)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(47)
})
