import { api, ask } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

interface QuestionChipsProps {
  productId: string
  disabled: boolean
  onAsk: (question: string) => void
}

/** The questions that visitors can tap beside the product. */
export function QuestionChips({ productId, disabled, onAsk }: QuestionChipsProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('chat')
  const params = { path: { workspaceId, id: productId } }
  const load = useLoad(
    (signal) =>
      ask(api.GET('/v1/workspaces/{workspaceId}/products/{id}/questions', { signal, params })),
    [productId],
  )
  const questions = load.value?.questions ?? []
  if (questions.length === 0) return null
  return (
    <div class="chips" role="group" aria-label={t('questions')}>
      {questions.map(({ id, text }) => (
        <button key={id} type="button" class="chip" disabled={disabled} onClick={() => onAsk(text)}>
          {text}
        </button>
      ))}
    </div>
  )
}
