import type { ComponentChildren } from 'preact'
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
  /** What belongs to an answer, below it. */
  after?: ((turn: ChatTurn) => ComponentChildren) | undefined
}

export function Turns({ turns, asked, after }: TurnsProps) {
  const t = texts('chat')
  return (
    <ol class="chat" aria-label={t('conversation')} aria-live="polite">
      {turns.map((turn, at) => (
        <ChatTurn key={at} {...turn} after={after?.(turn)} />
      ))}
      {asked === undefined ? null : <ChatTurn key="next" question={asked} />}
    </ol>
  )
}

interface ChatTurnProps {
  question: string
  answer?: ChatAnswer
  after?: ComponentChildren
}

/** A question and, once it has arrived, its answer. */
function ChatTurn({ question, answer, after }: ChatTurnProps) {
  const t = texts('chat')
  return (
    <li>
      <p class="said">
        <b class="hidden">{t('you')}</b>
        {question}
      </p>
      {answer ? (
        <div class="said answer">
          <b class="hidden">{t('assistant')}</b>
          {wordsOf(answer)}
          {'steps' in answer ? <Steps answer={answer} /> : null}
          <Sources answer={answer} />
          <small>
            {answer.credits.charged === 0
              ? t('free')
              : t('cost', { count: answer.credits.charged })}
          </small>
        </div>
      ) : (
        <p class="said answer muted">{t('sending')}</p>
      )}
      {after}
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

/** The sentences of the shop's texts that an answer is made of. */
function Sources({ answer: { citations, response } }: { answer: ChatAnswer }) {
  // What the answer says word for word needs no source.
  const sentences = new Set(citations.map(({ sentence }) => sentence))
  const shown = [...sentences].filter((sentence) => !response.includes(sentence))
  if (shown.length === 0) return null
  return (
    <ul class="sources plain-list" aria-label={texts('chat')('sources')}>
      {shown.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
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
