import { useState } from 'preact/hooks'
import { type Form, useForm } from '../../kit/forms/use_form.ts'
import type { TrialAnswer, ChatTurn } from './turns.tsx'

/** Calls the assistant; a conversation goes on in the thread of its last answer. */
type Ask<Values> = (question: Values, thread: { threadId?: string }) => Promise<TrialAnswer>

interface TrialConversation<Values> {
  form: Form<Values>
  turns: readonly ChatTurn[]
  /** Sends what is typed; nothing is sent twice, and an empty message not at all. */
  send: () => void
  startAnew: () => void
}

/** A form whose message is asked turn by turn. After an answer, the fields named are as at first. */
export function useConversation<Values extends { message: string }>(
  initial: Values,
  emptied: readonly (keyof Values & string)[],
  ask: Ask<Values>,
): TrialConversation<Values> {
  const [turns, setTurns] = useState<ChatTurn[]>([])
  const form = useForm<Values>(initial)
  const send = () => {
    if (form.current().message.trim() === '') return
    void form.save(async (question) => {
      const threadId = turns.at(-1)?.answer.threadId
      const answer = await ask(question, threadId ? { threadId } : {})
      setTurns([...turns, { question: question.message, answer }])
      for (const field of emptied) form.set(field, initial[field])
    })
  }
  return { form, turns, send, startAnew: () => setTurns([]) }
}
