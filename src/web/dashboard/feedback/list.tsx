import { api, ask, type Schemas } from '../../api.ts'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

export function FeedbackPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const [{ page }, change] = useQuery({ page: '1' })
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/feedback', {
          signal,
          params: { path: { workspaceId }, query: { page: Number(page), pageSize: 25 } },
        }),
      ),
    [workspaceId, page],
  )
  return (
    <Page
      title={t('feedback')}
      about={t('feedbackAbout')}
      actions={<ExportLink path={`/v1/workspaces/${workspaceId}/feedback/export`} />}
    >
      <Loaded load={list}>
        {({ feedbacks, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={<Empty icon="inbox" title={t('noFeedback')} hint={t('noFeedbackHint')} />}
          >
            <Table caption={t('feedback')} columns={columns()} rows={feedbacks} />
          </Paged>
        )}
      </Loaded>
    </Page>
  )
}

function columns(): Column<Schemas['Feedback']>[] {
  const t = texts('business')
  return [
    {
      title: t('message'),
      main: true,
      cell: ({ message }) => <span class="break">{message}</span>,
    },
    {
      title: t('from'),
      wide: true,
      cell: ({ userId }) => (userId === null ? t('guest') : t('customer')),
    },
    {
      title: t('when'),
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatTime(createdAt)}</span>,
    },
  ]
}
