import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask } from '../api.ts'
import { type Column, Table } from '../kit/lists/table.tsx'
import { formatNumber, formatTime, texts } from '../language.ts'
import {
  BlockButton,
  BlockDialog,
  type Source,
  sourceStatuses,
  SourceStatus,
} from './block_dialog.tsx'
import { ListPage, replaceRow } from './list_page.tsx'

/** The software behind keys and agents. Blocking takes effect at once. */
export function SourcesPage() {
  const t = texts('admin')
  const [selected, setSelected] = useState<Source | undefined>()
  return (
    <ListPage
      title={t('sources')}
      about={t('sourcesAbout')}
      searchLabel={t('searchSources')}
      statuses={sourceStatuses()}
      empty={{ icon: 'shield', title: t('noSources'), hint: t('noSourcesHint') }}
      ask={(query, signal) => ask(api.GET('/api/admin/sources', { params: { query }, signal }))}
    >
      {(value, list) => (
        <>
          <Table caption={t('sources')} columns={columns(setSelected)} rows={value.sources} />
          {selected ? (
            <BlockDialog
              source={selected}
              onClose={() => setSelected(undefined)}
              onChanged={(updated) =>
                list.set({ ...value, sources: replaceRow(value.sources, updated) })
              }
            />
          ) : null}
        </>
      )}
    </ListPage>
  )
}

function columns(open: (source: Source) => void): Column<Source>[] {
  const [t, k] = [texts('admin'), texts('kit')]
  return [
    {
      title: t('name'),
      cell: ({ id, name, identity }) => (
        <div class="cell-text">
          <Link href={`/sources/${id}`}>{name}</Link>
          <small>{identity}</small>
        </div>
      ),
    },
    {
      title: t('kind'),
      wide: true,
      cell: ({ kind }) => <span class="nowrap-text">{t(`kind.${kind}`)}</span>,
    },
    { title: t('status'), cell: ({ status }) => <SourceStatus status={status} /> },
    {
      title: t('connections'),
      numeric: true,
      wide: true,
      cell: ({ connections }) => formatNumber(connections),
    },
    {
      title: t('lastUsed'),
      wide: true,
      cell: ({ lastUsedAt }) => (
        <span class="muted nowrap-text">{lastUsedAt ? formatTime(lastUsedAt) : k('never')}</span>
      ),
    },
    {
      title: t('actions'),
      numeric: true,
      cell: (source) => (
        <div class="row-actions">
          <BlockButton source={source} onClick={() => open(source)} />
        </div>
      ),
    },
  ]
}
