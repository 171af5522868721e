import { useEffect, useState } from 'preact/hooks'
import { SelectField } from '../../kit/forms/select.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { FaceTrial } from './face_trial.tsx'
import { ProductTrial } from './product_trial.tsx'
import { RoutineTrial } from './routine_trial.tsx'
import { startTrial, type Trial } from './trial.ts'

const kinds = ['product', 'routine', 'face'] as const
const pages = { product: ProductTrial, routine: RoutineTrial, face: FaceTrial }

/** Lets an owner try the assistant as a visitor. */
export function ChatPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('chat')
  const [trial, setTrial] = useState<Trial | undefined>()
  const [starting, setStarting] = useState(false)
  useEffect(() => {
    if (!trial) return
    const end = () => setTrial(undefined)
    // Closing the tab; the effect's cleanup covers navigation within the app.
    addEventListener('pagehide', trial.leave)
    addEventListener('pageshow', end)
    return () => {
      removeEventListener('pagehide', trial.leave)
      removeEventListener('pageshow', end)
      trial.leave()
    }
  }, [trial])
  const start = () => {
    setStarting(true)
    startTrial(workspaceId)
      .then(setTrial, toastFailure)
      .finally(() => setStarting(false))
  }
  return (
    <Page narrow title={t('title')} about={t('about')}>
      <p class="banner warning">{t('realCredits')}</p>
      {trial ? (
        <Kinds trial={trial} />
      ) : (
        <div>
          <button type="button" class="primary" disabled={starting} onClick={start}>
            {starting ? t('starting') : t('start')}
          </button>
        </div>
      )}
    </Page>
  )
}

/** A question, a routine or a face; each starts a conversation of its own. */
function Kinds({ trial }: { trial: Trial }) {
  const t = texts('chat')
  const [kind, setKind] = useState<(typeof kinds)[number]>('product')
  const Kind = pages[kind]
  return (
    <>
      <SelectField
        name="kind"
        label={t('kind')}
        value={kind}
        error={undefined}
        choices={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={setKind}
      />
      <Kind key={kind} trial={trial} />
    </>
  )
}
