import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { type ListedQuestion, QuestionList, writableQuestions } from '../ai/question_list.tsx'

type QuestionSet = Schemas['ProductQuestionSet']

const questionsPath = '/v1/workspaces/{workspaceId}/products/{id}/questions'

/** Questions of one product: the library's or its own. */
export function ProductQuestions({ productId }: { productId: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('questions')
  const params = { path: { workspaceId, id: productId } }
  const read = () => askTagged(api.GET(questionsPath, { params }))
  const set = useLoad<Tagged<QuestionSet>>(read, [productId])
  const [own, setOwn] = useState(false)
  const reset = () => {
    setOwn(false)
    ask(api.DELETE(questionsPath, { params })).then(set.reload, toastFailure)
  }
  return (
    <section class="card" aria-labelledby="questions">
      <header>
        <div>
          <h2 id="questions">{t('ofProduct')}</h2>
          <p class="hint">{t('ofProductHint')}</p>
        </div>
        {set.value && !set.value.value.usesDefaults ? (
          <button type="button" onClick={reset}>
            {t('reset')}
          </button>
        ) : null}
      </header>
      <Loaded load={set}>
        {(tagged) =>
          tagged.value.usesDefaults && !own ? (
            <Defaults questions={tagged.value.questions} onOwn={() => setOwn(true)} />
          ) : (
            <OwnQuestions {...{ tagged, read, onRead: set.set }} id={productId} />
          )
        }
      </Loaded>
    </section>
  )
}

function Defaults(props: { questions: QuestionSet['questions']; onOwn: () => void }) {
  const t = texts('questions')
  return (
    <div class="stack">
      <p class="muted">{t('usesDefaults')}</p>
      {props.questions.length > 0 ? (
        <ul class="plain-list">
          {props.questions.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      ) : null}
      <div>
        <button type="button" onClick={props.onOwn}>
          {t('ownQuestions')}
        </button>
      </div>
    </div>
  )
}

interface OwnProps {
  id: string
  tagged: Tagged<QuestionSet>
  read: () => Promise<Tagged<QuestionSet>>
  onRead: (set: Tagged<QuestionSet>) => void
}

function OwnQuestions({ id, tagged, read, onRead }: OwnProps) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId, id }
  return (
    <StoredForm
      draft="questions"
      resource={tagged}
      {...{ read, onRead, valuesOf }}
      saveUnchanged={tagged.value.usesDefaults}
      write={(body, header) => ask(api.PUT(questionsPath, { params: { path, header }, body }))}
    >
      {(form) => (
        <QuestionList
          form={form}
          limit={limits.ProductQuestionsUpdate.questions}
          autofocus={tagged.value.usesDefaults}
        />
      )}
    </StoredForm>
  )
}

/** A product's questions start as a copy of the library's, with new ids. */
function valuesOf({ value }: Tagged<QuestionSet>): { questions: ListedQuestion[] } {
  const questions = writableQuestions(value.questions)
  return { questions: value.usesDefaults ? questions.map(({ text }) => ({ text })) : questions }
}
