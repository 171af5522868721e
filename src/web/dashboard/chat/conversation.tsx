import { useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { SelectField, TextArea } from '../../kit/fields.tsx'
import { FormFault } from '../../kit/form_page.tsx'
import { useForm } from '../../kit/use_form.ts'
import { texts } from '../../language.ts'
import { chat as messages } from '../../messages/chat.ts'
import type { Guest } from './guest.ts'

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

/** Questions and answers about one product; another product begins another conversation. */
export function Conversation({ guest }: { guest: Guest }) {
  const t = texts(messages)
  const [turns, setTurns] = useState<Turn[]>([])
  const [first] = guest.products
  const form = useForm<Values>({
    ...{ productId: first?.id ?? '', thinkingLevel: 'LOW', message: '' },
  })
  const { values, set, busy } = form
  if (!first) return <p class="muted">{t('noProducts')}</p>
  const send = () =>
    form.save(async (question) => {
      const threadId = turns.at(-1)?.answer.threadId
      const answer = await guest.ask({ ...question, ...(threadId ? { threadId } : {}) })
      setTurns([...turns, { question: question.message, answer }])
      set('message', '')
    })
  return (
    <div class="stack">
      <ol class="chat" aria-label={t('conversation')} aria-live="polite">
        {turns.map((turn, at) => (
          <ChatTurn key={at} turn={turn} />
        ))}
      </ol>
      <form
        noValidate
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <FormFault form={form} />
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
        <TextArea {...form.text('message')} label={t('message')} rows={3} />
        <div class="actions">
          <button type="submit" class="primary" disabled={busy || values.message.trim() === ''}>
            {busy ? t('sending') : t('send')}
          </button>
        </div>
      </form>
    </div>
  )
}

function ChatTurn({ turn: { question, answer } }: { turn: Turn }) {
  const t = texts(messages)
  const { credits, access } = answer
  return (
    <li>
      <p class="said">
        <b>{t('you')}</b>
        {question}
      </p>
      <p class="said answer">
        <b>{t('assistant')}</b>
        {answer.response}
        <small>{t('cost', { count: credits.charged, remaining: access.remainingRequests })}</small>
      </p>
    </li>
  )
}
