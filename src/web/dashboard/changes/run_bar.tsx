import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { Progress } from '../../kit/shell/progress.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { outcomeText, progressOf, writesOf } from './change_set.ts'
import { carryOn, putAway, type Run, undoRun } from './run.ts'
import { RefusalText } from './steps.tsx'

interface RunBarProps {
  run: Run
  /** Called when the run ends, while the page shows it. */
  onOver: () => void
}

/** A change of many products while it is made, and what has become of it, with a way back. */
export function RunBar({ run, onOver }: RunBarProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('changes'), texts('kit')]
  const { set, isOver, failure } = run
  const wasOver = useRef(isOver)
  useEffect(() => {
    if (isOver && !wasOver.current) onOver()
    wasOver.current = isOver
  }, [isOver, run])
  if (!isOver && !failure) return <UnderWay run={run} />
  return (
    <div class="bulk-bar" role="group" aria-label={t('lastChange')}>
      <div class="grow">
        {failure ? (
          <RefusalText failure={failure} />
        ) : (
          <b>{set ? outcomeText(set, run.aim) : null}</b>
        )}
        <Left run={run} />
      </div>
      {failure ? (
        <button type="button" onClick={() => carryOn(workspaceId, run)}>
          {k('tryAgain')}
        </button>
      ) : null}
      {isOver && set?.state === 'APPLIED' && writesOf(set) > 0 ? (
        <UndoButton onClick={() => undoRun(workspaceId, run)} />
      ) : null}
      {set ? <Link href={`/w/${workspaceId}/changes/${set.id}`}>{t('seeChange')}</Link> : null}
      <button type="button" class="link" onClick={() => putAway(workspaceId)}>
        {k('dismiss')}
      </button>
    </div>
  )
}

function UnderWay({ run: { set } }: { run: Run }) {
  const { text, value } = set ? progressOf(set) : { text: texts('changes')('starting') }
  return (
    <div class="bulk-bar">
      <div class="grow">
        <b>{text}</b>
        <Progress label={text} {...(value === undefined ? {} : { value })} />
      </div>
    </div>
  )
}

/** The products that were left as they are, and why. */
function Left({ run: { set, refused = [], aim } }: { run: Run }) {
  const t = texts('changes')
  if (!set || refused.length === 0 || aim === 'undo') return null
  const more = set.counts.errors - refused.length
  return (
    <>
      <p>{t('notChanged', { count: set.counts.errors })}</p>
      <ul>
        {refused.map(({ row, name, sku, errors }) => (
          <li key={row} class="break">
            <b>{name ?? sku ?? row + 1}</b>: {Object.values(errors).join(' ')}
          </li>
        ))}
        {more > 0 ? <li>{t('andMore', { count: more })}</li> : null}
      </ul>
    </>
  )
}

/** Takes the focus from the button that was pressed and is gone, unless it is elsewhere by now. */
function UndoButton({ onClick }: { onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.id === 'content') element.current?.focus()
  }, [])
  return (
    <button type="button" ref={element} onClick={onClick}>
      {texts('changes')('undo')}
    </button>
  )
}
