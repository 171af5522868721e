import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatNumber, formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { badgesChanged } from '../badges.ts'
import { AskedText } from './asked_text.tsx'
import { Replies } from './replies.tsx'
import { ReplyDialog } from './reply.tsx'

type Question = Schemas['UnansweredQuestion']

/** What visitors asked and products do not say, and what was replied to it. */
export function UnansweredPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('unanswered')
  const [{ page }, change] = useQuery({ page: '1' })
  const [replying, setReplying] = useState<Question>()
  const [given, setGiven] = useState(0)
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/questions/unanswered', {
          signal,
          params: { path: { workspaceId }, query: { page: Number(page), pageSize: 25 } },
        }),
      ),
    [workspaceId, page],
  )
  const dismiss = async ({ id }: Question) => {
    const params = { path: { workspaceId, id } }
    await ask(api.DELETE('/v1/workspaces/{workspaceId}/questions/unanswered/{id}', { params }))
    toast(t('dismissed'))
    badgesChanged()
    list.reload()
  }
  return (
    <Page title={t('title')} about={t('about')}>
      <Loaded load={list}>
        {({ questions, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={<Empty icon="chat" title={t('none')} hint={t('noneHint')} />}
          >
            <Table
              caption={t('title')}
              columns={columns(`/w/${workspaceId}`, {
                onReply: setReplying,
                onDismiss: (each) => void dismiss(each).catch(toastFailure),
              })}
              rows={questions}
            />
          </Paged>
        )}
      </Loaded>
      <Replies given={given} />
      {replying ? (
        <ReplyDialog
          question={replying}
          onClose={() => setReplying(undefined)}
          onReplied={() => {
            list.reload()
            badgesChanged()
            setGiven(given + 1)
          }}
        />
      ) : null}
    </Page>
  )
}

interface Actions {
  onReply: (question: Question) => void
  onDismiss: (question: Question) => void
}

function columns(base: string, { onReply, onDismiss }: Actions): Column<Question>[] {
  const t = texts('unanswered')
  return [
    {
      title: t('question'),
      main: true,
      cell: ({ text, productId, productName }) => (
        <AskedText text={text} name={productName} href={`${base}/products/${productId}`} />
      ),
    },
    { title: t('asked'), numeric: true, cell: ({ asked }) => formatNumber(asked) },
    {
      title: t('last'),
      wide: true,
      cell: ({ lastAskedAt }) => <span class="muted nowrap-text">{formatTime(lastAskedAt)}</span>,
    },
    {
      title: t('actions'),
      cell: (question) => (
        <span class="row nowrap">
          <button type="button" onClick={() => onReply(question)}>
            {t('reply')}
          </button>
          <button type="button" onClick={() => onDismiss(question)}>
            {t('dismiss')}
          </button>
        </span>
      ),
    },
  ]
}
