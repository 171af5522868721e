import { invalidInput } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { components } from '../../generated/types.ts'

type Question = components['schemas']['ProductQuestion']
type QuestionWrite = components['schemas']['QuestionWrite']

/** The questions to store: one sent with its id keeps its id and creation time. */
export function mergeQuestions(
  current: Question[],
  questions: QuestionWrite[],
  now: Date,
): Question[] {
  const currentById = new Map(current.map((question) => [question.id, question]))
  const seen = new Set<string>()
  return questions.map(({ id, text }, index) => {
    if (id === undefined) return { id: newId('qst'), text, createdAt: now.toISOString() }
    const field = `questions.${index}.id`
    if (seen.has(id)) throw invalidInput({ [field]: 'questionTwice' })
    seen.add(id)
    const question = currentById.get(id)
    if (!question) throw invalidInput({ [field]: ['questionUnknown', { id }] })
    return { ...question, text }
  })
}
