import { expect, test } from 'vitest'
import { matchesOf } from '../../../src/domain/assistant/finding/matching.ts'
import { sentencesOf } from '../../../src/domain/assistant/finding/sentences.ts'
import { rules } from '../../../src/domain/assistant/finding/verdict.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'

/** Its texts say nothing: a sentence is judged by itself. */
const product = {
  id: 'prd_1',
  name: 'Aalto',
  brand: 'Nord',
  description: '',
  information: '',
  tags: [],
  stock: 1,
  sales: [],
}

test.each(rules.map(({ name, example: [asked, said] }) => ({ name, asked, said })))(
  'asked "$asked", a sentence $name: "$said"',
  ({ name, asked, said }) => {
    const matches = matchesOf(questionOf(asked, []), product, sentencesOf(said))
    expect(matches.map(({ rule }) => rule)).toEqual([name])
  },
)

test('a sentence answers by some rules and not by others', () => {
  const scores = rules.map(({ name, score }) => [name, score(0.5)])
  expect(Object.fromEntries(scores)).toEqual({
    'is silent about what is decisive': 0,
    'says in words what is asked for as a number': 0.25,
    'lacks the number or kind of thing that is asked for': 0,
    'has what is asked for, of the topic': 1,
    'lists a thing of the kind that is asked for': 0.8,
    'has the only such number': 0.8,
    'has no thing of the kind that alone is asked for': 0,
    'says something of a question without a topic': 0.5,
    'says nothing of a question without a topic': 0,
    'covers enough of the topics': 0.5,
    'covers too little of the topics': 0,
  })
})
