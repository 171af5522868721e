import { useState } from 'preact/hooks'
import { api, ask, askTagged, type Schemas } from '../../api.ts'
import { Progress } from '../../kit/progress.tsx'
import { toast, toastFailure } from '../../kit/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { updateOf, valuesOf } from './product_values.ts'
import { statuses } from './status.tsx'

type Status = Schemas['ProductStatus']

/** Reads a product and writes it back with the new status, unless it changed in between. */
async function changeStatus(workspaceId: string, id: string, status: Status): Promise<void> {
  const path = { workspaceId, id }
  const { value, etag } = await askTagged(
    api.GET('/v1/workspaces/{workspaceId}/products/{id}', { params: { path } }),
  )
  if (value.status === status) return
  await ask(
    api.PUT('/v1/workspaces/{workspaceId}/products/{id}', {
      params: { path, header: { 'If-Match': etag } },
      body: { ...updateOf(valuesOf(value)), status },
    }),
  )
}

interface BulkBarProps {
  ids: ReadonlySet<string>
  /** Called with the products that failed, which stay selected. */
  onDone: (failed: ReadonlySet<string>) => void
  onClear: () => void
}

/** Changes the status of the selected products one at a time, with progress. */
export function BulkBar({ ids, onDone, onClear }: BulkBarProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const [done, setDone] = useState<number | undefined>()
  if (ids.size === 0) return null

  const change = async (status: Status) => {
    const failures = new Map<string, unknown>()
    let count = 0
    setDone(0)
    for (const id of ids) {
      await changeStatus(workspaceId, id, status).catch((error: unknown) => failures.set(id, error))
      setDone(++count)
    }
    setDone(undefined)
    const changedCount = count - failures.size
    if (changedCount > 0) toast(t('changed', { count: changedCount }))
    const [first] = failures.values()
    if (first !== undefined) toastFailure(first)
    // The buttons disappear: move the focus to the list.
    document.querySelector<HTMLElement>('.table-scroll')?.focus()
    onDone(new Set(failures.keys()))
  }
  const total = ids.size
  return (
    <div class="bulk-bar" role="group" aria-label={k('actions')}>
      <b>{k('selected', { count: total })}</b>
      {done === undefined ? (
        <>
          {statuses.map((status) => (
            <button key={status} type="button" onClick={() => void change(status)}>
              {t('setStatus', { status: t(`status.${status}`) })}
            </button>
          ))}
          <button type="button" class="link" onClick={onClear}>
            {k('clearSelection')}
          </button>
        </>
      ) : (
        <div class="grow">
          <Progress label={t('changing', { done, total })} value={done / total} />
        </div>
      )}
    </div>
  )
}
