import type { Schemas } from '../../api.ts'
import { TextField } from '../../kit/fields.tsx'
import { Icon } from '../../kit/icons.tsx'
import { texts } from '../../language.ts'
import { questions as messages } from '../../messages/questions.ts'

export type Question = Schemas['QuestionWrite']

interface QuestionListProps {
  questions: Question[]
  errors: Record<string, string>
  max: number
  onChange: (questions: Question[]) => void
}

/** Questions as lines to type into; those that were there keep their ids. */
export function QuestionList({ questions, errors, max, onChange }: QuestionListProps) {
  const t = texts(messages)
  return (
    <div class="stack">
      {questions.map((question, at) => (
        <div key={question.id ?? `new-${at}`} class="row nowrap question">
          <div class="grow">
            <TextField
              name={`questions.${at}.text`}
              label={t('question', { number: at + 1 })}
              value={question.text}
              error={errors[`questions.${at}.text`]}
              maxLength={300}
              onInput={(text) =>
                onChange(questions.map((one) => (one === question ? { ...one, text } : one)))
              }
            />
          </div>
          <button
            type="button"
            class="plain"
            aria-label={t('remove', { number: at + 1 })}
            onClick={() => onChange(questions.filter((one) => one !== question))}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          disabled={questions.length >= max}
          onClick={() => onChange([...questions, { text: '' }])}
        >
          <Icon name="plus" />
          {t('add')}
        </button>
      </div>
    </div>
  )
}

/** As the service takes them: what is shown of a question beyond its words is not written. */
export function writableQuestions(questions: Schemas['ProductQuestion'][]): Question[] {
  return questions.map(({ id, text }) => ({ id, text }))
}
