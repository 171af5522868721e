import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Failure, Schemas } from '../../api.ts'
import { SelectField, TextArea } from '../../kit/fields.tsx'
import { FormFault } from '../../kit/form_page.tsx'
import { useForm } from '../../kit/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import type { Guest } from './guest.ts'
import { QuestionChips } from './question_chips.tsx'

type Answer = Schemas['ProductChatAnswer']

interface Turn {
  question: string
  answer: Answer
}

const levels = ['LOW', 'MEDIUM', 'HIGH'] as const

interface Values {
  productId: string
  thinkingLevel: (typeof levels)[number]
  message: string
}

/** Chat about one product; choosing another product starts a new conversation. */
export function Conversation({ guest }: { guest: Guest }) {
  const t = texts('chat')
  const [turns, setTurns] = useState<Turn[]>([])
  const element = useRef<HTMLFormElement>(null)
  const [first] = guest.products
  const form = useForm<Values>({
    productId: first?.id ?? '',
    thinkingLevel: 'LOW',
    message: '',
  })
  const { values, set, busy } = form
  useEffect(() => element.current?.querySelector('textarea')?.focus(), [])
  // Scroll along, so that the answer stays visible above the input.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [turns, busy])
  if (!first) return <p class="muted">{t('noProducts')}</p>
  const send = () => {
    if (busy || form.current().message.trim() === '') return
    void form.save(async (question) => {
      const threadId = turns.at(-1)?.answer.threadId
      const answer = await guest.ask({ ...question, ...(threadId ? { threadId } : {}) })
      setTurns([...turns, { question: question.message, answer }])
      set('message', '')
    })
  }
  return (
    <div class="stack">
      <ol class="chat" aria-label={t('conversation')} aria-live="polite">
        {turns.map((turn, at) => (
          <ChatTurn key={at} {...turn} />
        ))}
        {busy ? <ChatTurn key="next" question={values.message} /> : null}
      </ol>
      <form
        ref={element}
        noValidate
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        onKeyDown={(event) => {
          const inText = event.target instanceof HTMLTextAreaElement
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !inText) return
          event.preventDefault()
          send()
        }}
      >
        <FormFault form={form} />
        <BuyCredits failure={form.failure} />
        <div class="pair">
          <SelectField
            name="productId"
            label={t('product')}
            value={values.productId}
            error={form.errors['productId']}
            choices={guest.products.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(productId) => {
              setTurns([])
              set('productId', productId)
            }}
          />
          <SelectField
            name="thinkingLevel"
            label={t('level')}
            value={values.thinkingLevel}
            error={form.errors['thinkingLevel']}
            choices={levels.map((value) => ({ value, label: t(`level.${value}`) }))}
            onChange={(level) => set('thinkingLevel', level)}
          />
        </div>
        <QuestionChips
          productId={values.productId}
          disabled={busy}
          onAsk={(question) => {
            set('message', question)
            send()
          }}
        />
        <TextArea {...form.text('message')} label={t('message')} hint={t('messageHint')} rows={2} />
        <div class="actions">
          <button type="submit" class="primary" disabled={busy || values.message.trim() === ''}>
            {busy ? t('sending') : t('send')}
          </button>
        </div>
      </form>
    </div>
  )
}

/** Shown where credits are missing, with the way to more. */
function BuyCredits({ failure }: { failure: Failure | undefined }) {
  const { workspaceId } = useWorkspace()
  const isMissing = failure?.code === 'insufficient_credits' || failure?.code === 'wallet_in_debt'
  if (!isMissing) return null
  return (
    <p>
      <Link class="button" href={`/w/${workspaceId}/wallet`}>
        {texts('home')('buyCredits')}
      </Link>
    </p>
  )
}

/** A question and, once it has arrived, its answer. */
function ChatTurn({ question, answer }: { question: string; answer?: Answer }) {
  const t = texts('chat')
  return (
    <li>
      <p class="said">
        <b>{t('you')}</b>
        {question}
      </p>
      {answer ? (
        <p class="said answer">
          <b>{t('assistant')}</b>
          {answer.response}
          <small>
            {t('cost', {
              count: answer.credits.charged,
              remaining: answer.access.remainingRequests,
            })}
          </small>
        </p>
      ) : (
        <p class="said answer muted">{t('sending')}</p>
      )}
    </li>
  )
}
