import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { NothingFound, Paged, SearchBox, Toolbar, useIsBlank } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { TagNames } from '../../kit/lists/tag_names.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatDay, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { LibraryDrop } from '../media/library_drop.tsx'
import { Thumb } from '../media/thumb.tsx'

const defaults = { page: '1', search: '' }

export function CollectionsPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [query, change] = useQuery(defaults)
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/collections', {
          signal,
          params: {
            path: { workspaceId },
            query: {
              search: query.search,
              page: Number(query.page),
              pageSize: 25,
              view: 'summary',
            },
          },
        }),
      ),
    [workspaceId, JSON.stringify(query)],
  )
  const isBlank = useIsBlank(list, query.search !== '')
  const base = `/w/${workspaceId}/collections`
  const newCollection = (
    <Link class="button primary" href={`${base}/new`}>
      <Icon name="plus" />
      {t('newCollection')}
    </Link>
  )
  return (
    <Page title={t('collections')} about={t('collectionsAbout')} actions={newCollection}>
      <LibraryDrop />
      {isBlank ? null : (
        <Toolbar>
          <SearchBox
            label={t('searchCollections')}
            value={query.search}
            onSearch={(search) => change({ search })}
          />
        </Toolbar>
      )}
      <Loaded load={list}>
        {({ collections, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isBlank ? (
                <Empty icon="layers" title={t('noCollections')} hint={t('noCollectionsHint')}>
                  {newCollection}
                </Empty>
              ) : (
                <NothingFound onClear={() => change(defaults)} />
              )
            }
          >
            <Table caption={t('collections')} columns={columnsFor(base)} rows={collections} />
          </Paged>
        )}
      </Loaded>
    </Page>
  )
}

function columnsFor(base: string): Column<Schemas['Collection']>[] {
  const [t, f] = [texts('catalogue'), texts('fields')]
  return [
    {
      title: f('name'),
      main: true,
      cell: ({ id, name, slug, image }) => (
        <div class="cell-main">
          <Thumb media={image} />
          <div class="grow">
            <Link class="clamp" href={`${base}/${id}`}>
              {name}
            </Link>
            <small class="clamp">{slug}</small>
          </div>
        </div>
      ),
    },
    { title: f('products'), numeric: true, cell: ({ productIds }) => productIds.length },
    {
      title: f('tags'),
      wide: true,
      cell: ({ tags }) => <TagNames tags={tags} />,
    },
    {
      title: t('updated'),
      wide: true,
      cell: ({ updatedAt }) => <span class="muted nowrap-text">{formatDay(updatedAt)}</span>,
    },
  ]
}
