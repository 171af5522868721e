import { Link } from 'wouter-preact'
import type { Failure, Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

export type ChatAnswer =
  | Schemas['ProductChatAnswer']
  | Schemas['RoutineChatAnswer']
  | Schemas['FaceAnalysis']

export interface ChatTurn {
  question: string
  answer: ChatAnswer
}

interface TurnsProps {
  turns: readonly ChatTurn[]
  /** A question that waits for its answer. */
  asked: string | undefined
}

export function Turns({ turns, asked }: TurnsProps) {
  const t = texts('chat')
  return (
    <ol class="chat" aria-label={t('conversation')} aria-live="polite">
      {turns.map((turn, at) => (
        <ChatTurn key={at} {...turn} />
      ))}
      {asked === undefined ? null : <ChatTurn key="next" question={asked} />}
    </ol>
  )
}

/** A question and, once it has arrived, its answer. */
function ChatTurn({ question, answer }: { question: string; answer?: ChatAnswer }) {
  const t = texts('chat')
  return (
    <li>
      <p class="said">
        <b>{t('you')}</b>
        {question}
      </p>
      {answer ? (
        <div class="said answer">
          <b>{t('assistant')}</b>
          {wordsOf(answer)}
          {'steps' in answer ? <Steps answer={answer} /> : null}
          <small>
            {t(answer.credits.charged === 0 ? 'free' : 'cost', {
              count: answer.credits.charged,
              remaining: answer.access.remainingRequests,
            })}
          </small>
        </div>
      ) : (
        <p class="said answer muted">{t('sending')}</p>
      )}
    </li>
  )
}

/** What the assistant says, without lines that only name a product: the steps below name it. */
function wordsOf(answer: ChatAnswer): string {
  if (!('steps' in answer)) return answer.response
  const { steps, products, response } = answer
  const nameOf = (wanted: string | null) => products.find(({ id }) => id === wanted)?.name
  const said = new Set(steps.map(({ order, productId }) => `${order}. ${nameOf(productId)}`))
  return response
    .split('\n')
    .filter((line) => !said.has(line))
    .join('\n')
}

/** The steps of a routine, with the products they use. */
function Steps({ answer: { steps, products } }: { answer: Schemas['RoutineChatAnswer'] }) {
  const { workspaceId } = useWorkspace()
  if (steps.length === 0) return null
  return (
    <ol class="routine" aria-label={texts('chat')('steps')}>
      {steps.map(({ order, title, productId, instructions }) => {
        const product = products.find(({ id }) => id === productId)
        return (
          <li key={order}>
            <b>{title}</b>
            {product ? (
              <Link href={`/w/${workspaceId}/products/${product.id}`}>{product.name}</Link>
            ) : null}
            <span>{instructions}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Shown where credits are missing, with the way to more. */
export function BuyCredits({ failure }: { failure: Failure | undefined }) {
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
