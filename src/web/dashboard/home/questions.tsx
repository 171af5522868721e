import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { TextArea } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { toast } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { badgesChanged } from '../badges.ts'
import { AskedText } from '../unanswered/asked_text.tsx'
import type { Overview } from './overview.ts'

type Question = Schemas['UnansweredQuestion']

interface QuestionsProps {
  overview: Overview
  onReplied: () => void
}

/** What the assistant could not answer, to be answered here. */
export function OpenQuestions({ overview: { unanswered }, onReplied }: QuestionsProps) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  const [answering, setAnswering] = useState<string>()
  if (!unanswered || unanswered.questions.length === 0) return null
  return (
    <section class="card" aria-labelledby="open-questions">
      <header>
        <h2 id="open-questions">{t('openQuestions', { count: unanswered.total })}</h2>
        <Link href={`/w/${workspaceId}/unanswered`}>{t('allQuestions')}</Link>
      </header>
      <ul class="open-questions plain-list">
        {unanswered.questions.map((question) => (
          <li key={question.id}>
            <div class="row nowrap">
              <div class="grow">
                <AskedText
                  text={question.text}
                  name={question.productName}
                  href={`/w/${workspaceId}/products/${question.productId}`}
                />
              </div>
              {answering === question.id ? null : (
                <button type="button" onClick={() => setAnswering(question.id)}>
                  {t('answer')}
                </button>
              )}
            </div>
            {answering === question.id ? (
              <AnswerForm
                question={question}
                onClose={() => setAnswering(undefined)}
                onReplied={onReplied}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface AnswerFormProps {
  question: Question
  onClose: () => void
  onReplied: () => void
}

function AnswerForm({ question, onClose, onReplied }: AnswerFormProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('unanswered'), texts('kit')]
  const form = useForm<Schemas['QuestionAnswer']>({
    answer: '',
    addToLibrary: false,
    to: 'PRODUCT',
  })
  const isOfShop = form.values.to === 'SHOP'
  const reply = () =>
    form.save(async (body) => {
      const params = { path: { workspaceId, id: question.id } }
      const path = '/v1/workspaces/{workspaceId}/questions/unanswered/{id}'
      await ask(api.POST(path, { params, body }))
      toast(t(body.to === 'SHOP' ? 'repliedForShop' : 'replied'))
      badgesChanged()
      onClose()
      onReplied()
    })
  return (
    <form
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void reply()
      }}
    >
      <FormFault form={form} />
      <TextArea
        {...form.text('answer')}
        label={t('answer')}
        hint={isOfShop ? t('shopHint') : t('answerHint', { product: question.productName })}
        rows={2}
        autofocus
      />
      <SelectField
        name="to"
        label={t('to')}
        value={form.values.to}
        error={form.errors['to']}
        choices={(['PRODUCT', 'SHOP'] as const).map((value) => ({
          value,
          label: t(`to.${value}`, { product: question.productName }),
        }))}
        onChange={(to) => form.set('to', to)}
      />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {k('cancel')}
        </button>
        <button type="submit" class="primary" disabled={form.busy}>
          {t('save')}
        </button>
      </div>
    </form>
  )
}
