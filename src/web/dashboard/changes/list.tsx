import { Link } from 'wouter-preact'
import { api, ask } from '../../api.ts'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useQuery } from '../../kit/lists/use_query.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { actorText, type ChangeSet, countsText, titleOf } from './change_set.ts'
import { ImportLink } from './import_link.tsx'
import { StatePill } from './state_pill.tsx'

/** The history of change sets. */
export function ChangesPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('changes')
  const [{ page }, change] = useQuery({ page: '1' })
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/change-sets', {
          signal,
          params: { path: { workspaceId }, query: { page: Number(page), pageSize: 25 } },
        }),
      ),
    [workspaceId, page],
  )
  return (
    <Page title={t('title')} about={t('about')} actions={<ImportLink />}>
      <Loaded load={list}>
        {({ changeSets, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={
              <Empty icon="replace" title={t('none')} hint={t('noneHint')}>
                <ImportLink />
              </Empty>
            }
          >
            <Table caption={t('title')} columns={columnsIn(workspaceId)} rows={changeSets} />
          </Paged>
        )}
      </Loaded>
    </Page>
  )
}

function columnsIn(workspaceId: string): Column<ChangeSet>[] {
  const t = texts('changes')
  return [
    {
      title: t('change'),
      main: true,
      cell: (set) => (
        <div class="cell-main">
          <div class="grow">
            <Link class="clamp" href={`/w/${workspaceId}/changes/${set.id}`}>
              {titleOf(set)}
            </Link>
            <small>{countsText(set)}</small>
          </div>
        </div>
      ),
    },
    { title: t('state'), cell: ({ state }) => <StatePill state={state} /> },
    {
      title: t('by'),
      cell: ({ createdBy }) => <span class="clamp">{actorText(createdBy)}</span>,
    },
    {
      title: t('when'),
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatTime(createdAt)}</span>,
    },
  ]
}
