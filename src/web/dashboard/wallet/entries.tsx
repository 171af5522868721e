import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { kindName } from '../usage/series.ts'

type Entry = Schemas['WalletEntry']

const tones: Record<Entry['type'], Tone> = {
  PURCHASE: 'good',
  REFUND: 'warn',
  USAGE: 'quiet',
  ADJUSTMENT: 'info',
}

/** A new `version` reloads the entries. */
export function WalletEntries({ version }: { version: number }) {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const [page, setPage] = useState('1')
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/wallet/entries', {
          signal,
          params: { path: { workspaceId }, query: { page: Number(page), pageSize: 20 } },
        }),
      ),
    [workspaceId, page, version],
  )
  return (
    <section class="stack" aria-labelledby="entries">
      <div class="row">
        <h2 id="entries" class="grow">
          {t('entries')}
        </h2>
        <ExportLink path={`/v1/workspaces/${workspaceId}/wallet/entries/export`} />
      </div>
      <Loaded load={list}>
        {({ entries, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={setPage}
            none={<p class="muted">{t('noEntries')}</p>}
          >
            <Table caption={t('entries')} columns={columns()} rows={entries} />
          </Paged>
        )}
      </Loaded>
    </section>
  )
}

function columns(): Column<Entry>[] {
  const t = texts('business')
  return [
    {
      title: t('when'),
      wide: true,
      cell: ({ createdAt }) => <span class="nowrap-text">{formatTime(createdAt)}</span>,
    },
    {
      title: t('what'),
      cell: (entry) => (
        <div class="cell-main">
          <div class="break">
            <Pill tone={tones[entry.type]}>{t(`entry.${entry.type}`)}</Pill>
            <small class="phone-only">
              {[entry.reason === null ? '' : kindName(entry.reason), formatTime(entry.createdAt)]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </div>
        </div>
      ),
    },
    {
      title: t('reference'),
      wide: true,
      cell: ({ reference, reason }) => (
        <span class="muted break">{kindName(reason ?? reference)}</span>
      ),
    },
    { title: t('change'), numeric: true, cell: ({ credits }) => formatSigned(credits) },
    {
      title: t('after'),
      numeric: true,
      wide: true,
      cell: ({ balanceAfter }) => formatNumber(balanceAfter),
    },
  ]
}

function formatSigned(credits: number): string {
  return credits > 0 ? `+${formatNumber(credits)}` : formatNumber(credits)
}
