import { useState } from 'preact/hooks'
import { TextArea } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { Picker } from '../../kit/forms/picker.tsx'
import { texts } from '../../language.ts'
import { ChatForm } from './chat_form.tsx'
import { useConversation } from './conversation.ts'
import { type Level, levels } from './levels.ts'
import { QuestionChips } from './question_chips.tsx'
import { Teach } from './teach.tsx'
import type { Trial } from './trial.ts'

interface ProductQuestion {
  productId: string
  thinkingLevel: Level
  message: string
}

/** Chat about one product; choosing another product starts a new conversation. */
export function ProductTrial({ trial }: { trial: Trial }) {
  const t = texts('chat')
  const [first] = trial.products
  const [name, setName] = useState(first?.name ?? '')
  const { form, turns, send, startAnew } = useConversation<ProductQuestion>(
    { productId: first?.id ?? '', thinkingLevel: 'LOW', message: '' },
    ['message'],
    (question, thread) => trial.askAboutProduct({ ...question, ...thread }),
  )
  const { values, set } = form
  if (!first) return <p class="muted">{t('noProducts')}</p>
  const { productId } = values
  return (
    <ChatForm
      form={form}
      turns={turns}
      productId={productId}
      question={values.message}
      isReady={values.message.trim() !== ''}
      onSend={send}
      after={({ question }) => <Teach {...{ question, productId }} />}
      head={
        <div class="pair">
          <div class="field">
            <span class="label">{t('product')}</span>
            <Picker
              label={t('product')}
              chosen={{ value: productId, label: name }}
              find={async (text, signal) =>
                (await trial.findProducts(text, signal)).map((one) => ({
                  value: one.id,
                  label: one.name,
                }))
              }
              onChange={(choice) => {
                startAnew()
                setName(choice.label)
                set('productId', choice.value)
              }}
            />
          </div>
          <SelectField
            name="thinkingLevel"
            label={t('level')}
            value={values.thinkingLevel}
            error={form.errors['thinkingLevel']}
            choices={levels.map((value) => ({ value, label: t(`level.${value}`) }))}
            onChange={(level) => set('thinkingLevel', level)}
          />
        </div>
      }
    >
      <QuestionChips
        productId={productId}
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
