import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import type { Form } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { asks } from '../../shop/drawing.ts'
import { BuyCredits, type ChatTurn, Turns } from './turns.tsx'

interface ChatFormProps<T> {
  form: Form<T>
  turns: readonly ChatTurn[]
  /** The product that is asked about, if it is one. */
  productId?: string
  /** What is being asked, as the conversation shows it. */
  question: string
  /** Whether there is something to ask. */
  isReady: boolean
  onSend: () => void
  /** What the conversation is about, above it. */
  head?: ComponentChildren
  /** What belongs to an answer, below it. */
  after?: (turn: ChatTurn) => ComponentChildren
  /** The fields. */
  children: ComponentChildren
}

/** A conversation with the form for its next question below. */
export function ChatForm<T>(props: ChatFormProps<T>) {
  const { form, turns, productId, question, isReady, onSend, head, after, children } = props
  const t = texts('chat')
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector('textarea')?.focus(), [])
  // Scroll along to the input, and where it leaves no room for the answer, back to that.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' })
    const last = element.current?.previousElementSibling?.lastElementChild
    last?.scrollIntoView({ block: 'nearest' })
  }, [turns, form.busy])
  const send = () => {
    if (!form.busy) onSend()
  }
  return (
    <div class="chat-window card">
      {head}
      <Turns {...{ turns, productId, after }} asked={form.busy ? question : undefined} />
      <form
        ref={element}
        noValidate
        class="stack composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        onKeyDown={(event) => {
          const inText = event.target instanceof HTMLTextAreaElement
          if (!asks(event) || !inText) return
          event.preventDefault()
          send()
        }}
      >
        <FormFault form={form} />
        <BuyCredits failure={form.failure} />
        {children}
        <div class="actions">
          <button type="submit" class="primary" disabled={form.busy || !isReady}>
            {form.busy ? t('sending') : t('send')}
          </button>
        </div>
      </form>
    </div>
  )
}
