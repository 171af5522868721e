import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { TextField } from '../../kit/fields.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useRowFocus } from '../../kit/row_focus.ts'
import type { Form } from '../../kit/use_form.ts'
import { texts } from '../../language.ts'

export type Question = Schemas['QuestionWrite']

interface QuestionListProps {
  form: Form<{ questions: Question[] }>
  limit: { maxItems: number; items: { text: { maxLength: number } } }
  /** Focus the first field, because the user has just opened the list. */
  autofocus?: boolean
}

/** Editable list of questions; existing ones keep their ids. */
export function QuestionList({ form, limit, autofocus = false }: QuestionListProps) {
  const t = texts('questions')
  const rows = useRowFocus<HTMLDivElement>()
  const { questions } = form.values
  useEffect(() => {
    if (autofocus) rows[questions.length > 0 ? 'onNew' : 'afterRemoval'](0)
  }, [])
  const change = (next: Question[]) => form.set('questions', next)
  return (
    <div class="stack" data-field="questions" data-label={t('ofProduct')} ref={rows.container}>
      {questions.map((question, at) => (
        <div key={question.id ?? `new-${at}`} data-row class="row nowrap question">
          <div class="grow">
            <TextField
              name={`questions.${at}.text`}
              label={t('question', { number: at + 1 })}
              value={question.text}
              error={form.errors[`questions.${at}.text`]}
              limit={limit.items.text}
              onInput={(text) =>
                change(questions.map((one) => (one === question ? { ...one, text } : one)))
              }
            />
          </div>
          <button
            type="button"
            class="plain"
            aria-label={t('remove', { number: at + 1 })}
            onClick={() => {
              change(questions.filter((one) => one !== question))
              rows.afterRemoval(at)
            }}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          disabled={questions.length >= limit.maxItems}
          onClick={() => {
            change([...questions, { text: '' }])
            rows.onNew(questions.length)
          }}
        >
          <Icon name="plus" />
          {t('add')}
        </button>
      </div>
    </div>
  )
}

/** Questions as the service accepts them, without read-only fields. */
export function writableQuestions(questions: Schemas['ProductQuestion'][]): Question[] {
  return questions.map(({ id, text }) => ({ id, text }))
}
