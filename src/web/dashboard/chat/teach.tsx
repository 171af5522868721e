import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { badgesChanged } from '../badges.ts'
import { ReplyDialog } from '../unanswered/reply.tsx'

interface TeachProps {
  question: string
  productId: string
}

/** Beside an answer that the texts could not give: lets the owner give it. */
export function Teach({ question, productId }: TeachProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('chat')
  const [isOpen, setOpen] = useState(false)
  const [isTaught, setTaught] = useState(false)
  const params = { path: { workspaceId }, query: { pageSize: 100 } }
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
