import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { NothingFound, Pager, SearchBox } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

interface PickerProps {
  onPick: (media: Schemas['Media']) => void
  onClose: () => void
}

/** Picks a picture from the library. */
export function MediaPicker({ onPick, onClose }: PickerProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState('1')
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/media', {
          signal,
          params: { path: { workspaceId }, query: { search, page: Number(page), pageSize: 18 } },
        }),
      ),
    [search, page],
  )
  return (
    <Dialog title={t('choosePicture')} onClose={onClose} size="large">
      <SearchBox
        autofocus
        label={t('searchMedia')}
        value={search}
        onSearch={(text) => {
          setSearch(text)
          setPage('1')
        }}
      />
      <Loaded load={list}>
        {({ media, pagination }) =>
          media.length === 0 ? (
            <NothingFound onClear={() => setSearch('')} />
          ) : (
            <div class="stack">
              <div class="media-grid small">
                {media.map((one) => (
                  <button key={one.id} type="button" class="tile" onClick={() => onPick(one)}>
                    <img src={one.url} alt="" loading="lazy" />
                    <span>{one.fileName}</span>
                  </button>
                ))}
              </div>
              <Pager pagination={pagination} onPage={setPage} />
            </div>
          )
        }
      </Loaded>
    </Dialog>
  )
}
