import { useEffect } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Progress } from '../../kit/shell/progress.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import {
  actorText,
  type ChangeSet,
  countsText,
  isUnderWay,
  progressOf,
  setPath,
  titleOf,
} from './change_set.ts'
import { ImportPage } from './import_page.tsx'
import { PlanRows } from './plan_rows.tsx'
import { StatePill } from './state_pill.tsx'
import { Refused, SetActions, useSteps } from './steps.tsx'

const pollMilliseconds = 1000

/** One change set: its plan, what became of it, and what can be done with it; a new one is a file. */
export function ChangeSetPage({ id }: { id: string }) {
  return id === 'new' ? <ImportPage /> : <ExistingSet id={id} />
}

function ExistingSet({ id }: { id: string }) {
  const { workspaceId } = useWorkspace()
  const params = { path: { workspaceId, id } }
  const load = useLoad((signal) => ask(api.GET(setPath, { signal, params })), [workspaceId, id])
  const { value: set, failure } = load
  useEffect(() => {
    if (!set || !isUnderWay(set)) return
    const timeout = setTimeout(load.reload, pollMilliseconds)
    return () => clearTimeout(timeout)
  }, [set, failure])
  return <Loaded load={load}>{(value) => <OneSet set={value} onChange={load.set} />}</Loaded>
}

interface OneSetProps {
  set: ChangeSet
  onChange: (set: ChangeSet) => void
}

function OneSet({ set, onChange }: OneSetProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('changes')
  const steps = useSteps(set, onChange)
  return (
    <Page
      title={titleOf(set)}
      crumb={{ href: `/w/${workspaceId}/changes`, label: t('title') }}
      actions={<SetActions set={set} steps={steps} />}
    >
      <Refused {...{ set, steps }} />
      <section class="card stack" aria-label={t('summary')}>
        <p class="row" role="status">
          <StatePill state={set.state} />
          <b>{countsText(set)}</b>
        </p>
        {isUnderWay(set) ? <UnderWay set={set} /> : null}
        {set.state === 'WAITING' ? <p>{t('waitingHint', { name: set.createdBy.name })}</p> : null}
        {set.failure === null ? null : (
          <p class="banner bad" role="alert">
            {set.failure}
          </p>
        )}
        <Story set={set} />
      </section>
      {set.state === 'PLANNING' ? null : <PlanRows set={set} />}
    </Page>
  )
}

function UnderWay({ set }: { set: ChangeSet }) {
  const { text, value } = progressOf(set)
  return (
    <div>
      <p>{text}</p>
      <Progress label={text} {...(value === undefined ? {} : { value })} />
    </div>
  )
}

/** Who did what with it, and when. */
function Story({ set }: { set: ChangeSet }) {
  const t = texts('changes')
  const { createdBy, createdAt, appliedBy, appliedAt, undoneBy, undoneAt, fileName } = set
  const lines = [
    { label: t('made'), by: createdBy, at: createdAt },
    { label: t('applied'), by: appliedBy, at: appliedAt },
    { label: t('undone'), by: undoneBy, at: undoneAt },
  ]
  return (
    <dl class="facts">
      {fileName === null ? null : (
        <>
          <dt class="muted">{t('file')}</dt>
          <dd class="break">{fileName}</dd>
        </>
      )}
      {lines.map(({ label, by, at }) =>
        by === null || at === null ? null : (
          <>
            <dt class="muted">{label}</dt>
            <dd class="break">
              {actorText(by)} · <span class="nowrap-text">{formatTime(at)}</span>
            </dd>
          </>
        ),
      )}
    </dl>
  )
}
