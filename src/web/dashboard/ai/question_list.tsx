import type { Schemas } from '../../api.ts'
import { TextRows } from '../../kit/forms/text_rows.tsx'
import type { Form } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'

export type ListedQuestion = Schemas['QuestionWrite']

interface QuestionListProps {
  form: Form<{ questions: ListedQuestion[] }>
  limit: { maxItems: number; items: { text: { maxLength: number } } }
  /** Focus the first field, because the user has just opened the list. */
  autofocus?: boolean
}

/** Editable list of questions; existing ones keep their ids. */
export function QuestionList({ form, limit, autofocus = false }: QuestionListProps) {
  const t = texts('questions')
  const { questions } = form.values
  const change = (next: ListedQuestion[]) => form.set('questions', next)
  return (
    <TextRows
      field="questions"
      label={t('ofProduct')}
      rows={questions.map(({ id, text }, at) => {
        const name = `questions.${at}.text`
        return { key: id ?? `new-${at}`, name, text, error: form.errors[name] }
      })}
      max={limit.maxItems}
      limit={limit.items.text}
      addLabel={t('add')}
      rowLabel={(number) => t('question', { number })}
      removeLabel={(number) => t('remove', { number })}
      onInput={(at, text) =>
        change(questions.map((one, place) => (place === at ? { ...one, text } : one)))
      }
      onRemove={(at) => change(questions.toSpliced(at, 1))}
      onAdd={() => change([...questions, { text: '' }])}
      autofocus={autofocus}
    />
  )
}

/** Questions as the service accepts them, without read-only fields. */
export function writableQuestions(questions: Schemas['ProductQuestion'][]): ListedQuestion[] {
  return questions.map(({ id, text }) => ({ id, text }))
}
