import { useState } from 'preact/hooks'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { FormPage } from '../../kit/form_page.tsx'
import { ifMatch } from '../../kit/if_match.ts'
import { Loaded } from '../../kit/states.tsx'
import { toastFailure } from '../../kit/toasts.tsx'
import { type SaveOptions, useForm } from '../../kit/use_form.ts'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { questions as messages } from '../../messages/questions.ts'
import { useWorkspace } from '../../session.ts'
import { type Question, QuestionList, writableQuestions } from '../ai/question_list.tsx'

type QuestionSet = Schemas['ProductQuestionSet']

const questionsPath = '/v1/workspaces/{workspaceId}/products/{id}/questions'

/** The questions of one product: those of the library, or its own. */
export function ProductQuestions({ productId }: { productId: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts(messages)
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
            <OwnQuestions key={tagged.etag} {...{ tagged, read, onRead: set.set }} id={productId} />
          )
        }
      </Loaded>
    </section>
  )
}

function Defaults(props: { questions: QuestionSet['questions']; onOwn: () => void }) {
  const t = texts(messages)
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
  const { usesDefaults, questions } = tagged.value
  // Its own begin as a copy of the library's, with ids of their own.
  const initial = writableQuestions(questions).map((one) =>
    usesDefaults ? { text: one.text } : one,
  )
  const form = useForm<{ questions: Question[] }>({ questions: initial })
  const write = async (body: { questions: Question[] }, options: SaveOptions) => {
    const params = { path: { workspaceId, id }, header: ifMatch(tagged.etag, options) }
    await ask(api.PUT(questionsPath, { params, body }))
    onRead(await read())
  }
  return (
    <FormPage
      form={form}
      write={write}
      saveUnchanged={usesDefaults}
      reload={() => void read().then(onRead, toastFailure)}
    >
      <QuestionList
        questions={form.values.questions}
        errors={form.errors}
        max={20}
        onChange={(changed) => form.set('questions', changed)}
      />
    </FormPage>
  )
}
