import { useState } from 'preact/hooks'
import { api, ask, type ContractParameters, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { NothingFound, Paged, SearchBox, Toolbar, useIsBlank } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatBytes, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { DropZone, UploadList } from './drop_zone.tsx'
import { MediaDialog } from './media_dialog.tsx'
import { libraryUploader, useUploads } from './upload.ts'
import { usesOf } from './uses.ts'

type Media = Schemas['Media']

const defaults = { page: '1', search: '', usage: '' }
const usages = ['UNUSED', 'LINKED', 'MULTI_LINKED'] as const

function listMedia(workspaceId: string, query: typeof defaults, signal: AbortSignal) {
  const usage = query.usage === '' ? {} : { usage: query.usage as ContractParameters['MediaUsage'] }
  return ask(
    api.GET('/v1/workspaces/{workspaceId}/media', {
      signal,
      params: {
        path: { workspaceId },
        query: { ...usage, search: query.search, page: Number(query.page), pageSize: 24 },
      },
    }),
  )
}

/** The picture library: upload, view, replace, delete. */
export function MediaPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [query, change] = useQuery(defaults)
  const [selected, setSelected] = useState<Media | undefined>()
  const list = useLoad(
    (signal) => listMedia(workspaceId, query, signal),
    [workspaceId, JSON.stringify(query)],
  )
  const { uploads, add, dismiss } = useUploads(libraryUploader(workspaceId), list.reload)
  const isBlank = useIsBlank(list, query.search !== '' || query.usage !== '')
  const { summary } = list.value ?? {}
  const choices = usages.map((value) => ({ value, label: t(`usage.${value}`) }))
  return (
    <Page
      title={t('media')}
      {...(summary ? { about: t('mediaAbout', { ...summary, count: summary.total }) } : {})}
    >
      <DropZone onFiles={add} />
      <UploadList uploads={uploads} onDismiss={dismiss} />
      {isBlank ? null : (
        <Toolbar>
          <SearchBox
            label={t('searchMedia')}
            value={query.search}
            onSearch={(search) => change({ search })}
          />
          <Select
            label={t('anyUse')}
            value={query.usage}
            onChange={(usage) => change({ usage })}
            choices={[{ value: '', label: t('anyUse') }, ...choices]}
          />
        </Toolbar>
      )}
      <Loaded load={list}>
        {({ media, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isBlank ? (
                <Empty icon="image" title={t('noMedia')} hint={t('noMediaHint')} />
              ) : (
                <NothingFound onClear={() => change(defaults)} />
              )
            }
          >
            <ul class="media-grid plain-list">
              {media.map((one) => (
                <li key={one.id}>
                  <MediaTile media={one} onOpen={() => setSelected(one)} />
                </li>
              ))}
            </ul>
          </Paged>
        )}
      </Loaded>
      {selected ? (
        <MediaDialog
          media={selected}
          onClose={() => setSelected(undefined)}
          onChanged={(updated) => {
            setSelected(updated)
            list.reload()
          }}
        />
      ) : null}
    </Page>
  )
}

function MediaTile({ media, onOpen }: { media: Media; onOpen: () => void }) {
  return (
    <button type="button" class="tile" onClick={onOpen}>
      <img src={media.url} alt="" loading="lazy" />
      <span>
        <span class="clamp">{media.fileName}</span>
        <small class="muted">
          {formatBytes(media.size)} · {usesOf(media)}
        </small>
      </span>
    </button>
  )
}
