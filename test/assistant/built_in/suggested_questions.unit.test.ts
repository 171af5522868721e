import { expect, test } from 'vitest'
import { answerUnknown } from '../../../src/domain/assistant/built_in/local_answers.ts'

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
    language: 'en' as const,
    ownerPrompt: '',
    contact,
    synonyms: [],
    knowledge: [],
  }
  const chat = { shop, product, questions, replies: [], history: [], thinkingLevel: 'LOW' as const }
  return answerUnknown({ ...chat, message: 'Who designed the label?' }, 'en')
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
