import { SelectField, TextArea } from '../../kit/forms/fields.tsx'
import { texts } from '../../language.ts'
import { ChatForm } from './chat_form.tsx'
import { useConversation } from './conversation.ts'
import { type Level, levels } from './levels.ts'
import { QuestionChips } from './question_chips.tsx'
import type { Trial } from './trial.ts'

interface Values {
  productId: string
  thinkingLevel: Level
  message: string
}

/** Chat about one product; choosing another product starts a new conversation. */
export function ProductTrial({ trial }: { trial: Trial }) {
  const t = texts('chat')
  const [first] = trial.products
  const { form, turns, send, startAnew } = useConversation<Values>(
    { productId: first?.id ?? '', thinkingLevel: 'LOW', message: '' },
    ['message'],
    (question, thread) => trial.askAboutProduct({ ...question, ...thread }),
  )
  const { values, set } = form
  if (!first) return <p class="muted">{t('noProducts')}</p>
  return (
    <ChatForm
      form={form}
      turns={turns}
      question={values.message}
      isReady={values.message.trim() !== ''}
      onSend={send}
    >
      <div class="pair">
        <SelectField
          name="productId"
          label={t('product')}
          value={values.productId}
          error={form.errors['productId']}
          choices={trial.products.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(productId) => {
            startAnew()
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
        disabled={form.busy}
        onAsk={(question) => {
          set('message', question)
          send()
        }}
      />
      <TextArea {...form.text('message')} label={t('message')} hint={t('messageHint')} rows={2} />
    </ChatForm>
  )
}
