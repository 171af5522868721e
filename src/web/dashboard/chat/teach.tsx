import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { daysAgo } from '../../time.ts'
import { badgesChanged } from '../badges.ts'
import { ReplyDialog } from '../unanswered/reply.tsx'

interface TeachProps {
  question: string
  productId: string
}

/** Beside an answer; if the texts could not give it, lets the owner do so. */
export function Teach({ question, productId }: TeachProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('chat')
  const [isOpen, setOpen] = useState(false)
  const [isTaught, setTaught] = useState(false)
  // Today's alone: what was missed long ago may be in the texts by now.
  const params = { path: { workspaceId }, query: { from: daysAgo(0), pageSize: 100 } }
  const load = useLoad(
    (signal) =>
      ask(api.GET('/v1/workspaces/{workspaceId}/questions/unanswered', { signal, params })),
    [question, productId],
  )
  // The list keeps the beginning of a long question.
  const missed = load.value?.questions.find(
    (one) => one.productId === productId && question.trim().startsWith(one.text),
  )
  if (isTaught) return <p class="muted">{t('taught')}</p>
  if (!missed) return null
  return (
    <p class="row">
      <span class="muted">{t('missed')}</span>
      <button type="button" onClick={() => setOpen(true)}>
        {t('teach')}
      </button>
      {isOpen ? (
        <ReplyDialog
          question={missed}
          onClose={() => setOpen(false)}
          onReplied={() => {
            setTaught(true)
            badgesChanged()
          }}
        />
      ) : null}
    </p>
  )
}
