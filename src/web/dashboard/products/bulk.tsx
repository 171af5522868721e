import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Select } from '../../kit/forms/fields.tsx'
import { Progress } from '../../kit/shell/progress.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { type BulkChange, type BulkRow, changeProduct, patiently } from './bulk_work.ts'
import { statuses } from './status.tsx'

interface BulkBarProps {
  /** The selected products of the page. */
  rows: readonly BulkRow[]
  /** How many products match the filters, on all pages. */
  total: number
  /** Reads all products that match, on all pages. */
  readAll: () => Promise<BulkRow[]>
  /** Called with the products that failed, which stay selected. */
  onDone: (failed: ReadonlySet<string>) => void
  onClear: () => void
}

type Undo = () => Promise<unknown>

/** More products than this are changed only after a confirmation. */
const withoutAsking = 25

/** Changes the selected products, or all that match, one at a time; and takes it back. */
export function BulkBar({ rows, total, readAll, onDone, onClear }: BulkBarProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const [isAll, setAll] = useState(false)
  const [progress, setProgress] = useState<{ done: number; total: number } | undefined>()
  const [asked, setAsked] = useState<BulkChange | undefined>()
  const [undo, setUndo] = useState<Undo[]>([])
  const count = isAll ? total : rows.length

  const run = async <T,>(items: readonly T[], work: (item: T) => Promise<void>) => {
    for (const [at, item] of items.entries()) {
      setProgress({ done: at, total: items.length })
      await work(item)
    }
    setProgress(undefined)
  }
  const change = async (how: BulkChange) => {
    const products = isAll ? await readAll() : rows
    const failures = new Map<string, unknown>()
    const steps: Undo[] = []
    await run(products, async (row) => {
      const step = await patiently(() => changeProduct(workspaceId, row, how)).catch(
        (error: unknown) => {
          failures.set(row.id, error)
          return undefined
        },
      )
      if (step) steps.push(step)
    })
    toast(t('changed', { count: steps.length }))
    const [first] = failures.values()
    if (first !== undefined) toastFailure(first)
    setUndo(steps)
    setAll(false)
    // The buttons disappear, and without an undo nothing takes their place.
    const list = document.querySelector<HTMLElement>('.table-scroll')
    if (steps.length === 0) list?.focus({ preventScroll: true })
    onDone(new Set(failures.keys()))
  }
  const takeBack = async () => {
    const left: Undo[] = []
    let failure: unknown
    await run(undo, async (step) => {
      await patiently(step).catch((error: unknown) => {
        failure = error
        left.push(step)
      })
    })
    // What could not be taken back can be tried again.
    setUndo(left)
    if (left.length > 0) toastFailure(failure)
    else toast(t('undone'))
    onDone(new Set())
  }
  const start = (how: BulkChange) => {
    if (count > withoutAsking) setAsked(how)
    else void change(how).catch(toastFailure)
  }
  if (progress)
    return (
      <div class="bulk-bar">
        <div class="grow">
          <b>{t('changing', progress)}</b>
          <Progress
            label={t('changing', progress)}
            value={progress.total === 0 ? 0 : progress.done / progress.total}
          />
        </div>
      </div>
    )
  if (rows.length === 0)
    return undo.length === 0 ? null : (
      <div class="bulk-bar" role="group" aria-label={k('actions')}>
        <b>{t('changed', { count: undo.length })}</b>
        <UndoButton onClick={() => void takeBack()} />
        <button type="button" class="link" onClick={() => setUndo([])}>
          {k('dismiss')}
        </button>
      </div>
    )
  return (
    <div class="bulk-bar" role="group" aria-label={k('actions')}>
      <b>{k('selected', { count })}</b>
      {!isAll && total > rows.length ? (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {t('selectMatching', { count: total })}
        </button>
      ) : null}
      <BulkActions onChoose={start} />
      <button
        type="button"
        class="link"
        onClick={() => {
          setAll(false)
          onClear()
        }}
      >
        {k('clearSelection')}
      </button>
      {asked ? (
        <ConfirmDialog
          title={t('bulkTitle', { count })}
          action={t('bulkAction')}
          onConfirm={() => {
            void change(asked).catch(toastFailure)
            return Promise.resolve()
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('bulkHint')}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

/** Takes the focus, and with it the view, from the button that was pressed and is gone. */
function UndoButton({ onClick }: { onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <button type="button" ref={element} onClick={onClick}>
      {texts('catalogue')('undo')}
    </button>
  )
}

const maxChoices = 100

function BulkActions({ onChoose }: { onChoose: (change: BulkChange) => void }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId }, query: { pageSize: maxChoices } }
  const summary = { ...params, query: { ...params.query, view: 'summary' as const } }
  const tags = useLoad(() => ask(api.GET('/v1/workspaces/{workspaceId}/tags', { params })), [])
  const collections = useLoad(
    () => ask(api.GET('/v1/workspaces/{workspaceId}/collections', { params: summary })),
    [],
  )
  const choicesOf = (items: readonly { id: string; name: string }[] = []) =>
    items.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      {statuses.map((status) => (
        <button key={status} type="button" onClick={() => onChoose({ kind: 'status', status })}>
          {t('setStatus', { status: t(`status.${status}`) })}
        </button>
      ))}
      <Select
        label={t('bulkTag')}
        value=""
        choices={[{ value: '', label: t('bulkTag') }, ...choicesOf(tags.value?.tags)]}
        onChange={(tagId) => tagId && onChoose({ kind: 'tag', tagId })}
      />
      <Select
        label={t('bulkCollection')}
        value=""
        choices={[
          { value: '', label: t('bulkCollection') },
          ...choicesOf(collections.value?.collections),
        ]}
        onChange={(collectionId) => {
          const chosen = collections.value?.collections.find(({ id }) => id === collectionId)
          if (!chosen) return
          const memberIds = new Set(chosen.productIds)
          onChoose({ kind: 'collection', collectionId, memberIds })
        }}
      />
    </>
  )
}
