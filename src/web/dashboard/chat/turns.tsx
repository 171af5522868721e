import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { Failure, Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { wordsOf } from '../../shop/drawing.ts'
import { Details } from './details.tsx'

export type TrialAnswer =
  | Schemas['ProductChatAnswer']
  | Schemas['RoutineChatAnswer']
  | Schemas['FaceAnalysis']

export interface ChatTurn {
  question: string
  answer: TrialAnswer
}

interface TurnsProps {
  turns: readonly ChatTurn[]
  /** What the conversation is about. */
  productId: string | undefined
  /** A question that waits for its answer. */
  asked: string | undefined
  /** What belongs to an answer, below it. */
  after?: ((turn: ChatTurn) => ComponentChildren) | undefined
}

export function Turns({ turns, productId, asked, after }: TurnsProps) {
  const t = texts('chat')
  return (
    <ol class="chat" aria-label={t('conversation')} aria-live="polite">
      {turns.map((turn, at) => (
        <ChatTurn key={at} {...turn} productId={productId} after={after?.(turn)} />
      ))}
      {asked === undefined ? null : <ChatTurn key="next" question={asked} />}
    </ol>
  )
}

interface ChatTurnProps {
  question: string
  answer?: TrialAnswer
  productId?: string | undefined
  after?: ComponentChildren
}

/** A question and, once it has arrived, its answer. */
function ChatTurn({ question, answer, productId, after }: ChatTurnProps) {
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
          <span>{wordsOf(answer)}</span>
          <Details answer={answer} productId={productId} />
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
