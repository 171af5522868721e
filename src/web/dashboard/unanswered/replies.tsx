import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog, Dialog } from '../../kit/shell/dialog.tsx'
import { TextArea } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { AskedText } from './asked_text.tsx'

type Reply = Schemas['QuestionReply']

/** The open dialog: changing or deleting a reply. */
type Task = { kind: 'write' | 'delete'; reply: Reply }

interface RepliesProps {
  /** Changes when a reply was given. */
  given: number
}

/** What was replied so far, to be read again, changed or deleted. */
export function Replies({ given }: RepliesProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('unanswered')
  const [page, setPage] = useState(1)
  const [task, setTask] = useState<Task>()
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/questions/replies', {
          signal,
          params: { path: { workspaceId }, query: { page, pageSize: 25 } },
        }),
      ),
    [workspaceId, page, given],
  )
  return (
    <section class="stack" aria-labelledby="replies">
      <h2 id="replies">{t('replies')}</h2>
      <Loaded load={list}>
        {({ replies, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => setPage(Number(next))}
            none={<p class="muted">{t('noReplies')}</p>}
          >
            <Table
              caption={t('replies')}
              columns={columnsFor(`/w/${workspaceId}`, setTask)}
              rows={replies}
            />
          </Paged>
        )}
      </Loaded>
      {task ? (
        <TaskDialog task={task} onClose={() => setTask(undefined)} onDone={list.reload} />
      ) : null}
    </section>
  )
}

function columnsFor(base: string, start: (task: Task) => void): Column<Reply>[] {
  const [t, k] = [texts('unanswered'), texts('kit')]
  return [
    {
      title: t('question'),
      main: true,
      cell: ({ question, productId, productName }) => (
        <AskedText text={question} name={productName} href={`${base}/products/${productId}`} />
      ),
    },
    {
      title: t('answer'),
      whole: true,
      cell: ({ answer }) => <div class="break clamp">{answer}</div>,
    },
    {
      title: k('actions'),
      numeric: true,
      whole: true,
      cell: (reply) => (
        <span class="nowrap-text">
          <button type="button" class="plain" onClick={() => start({ kind: 'write', reply })}>
            {k('edit')}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={t('deleteReply')}
            onClick={() => start({ kind: 'delete', reply })}
          >
            <Icon name="trash" />
          </button>
        </span>
      ),
    },
  ]
}

interface TaskProps {
  task: Task
  onClose: () => void
  onDone: () => void
}

function TaskDialog({ task, onClose, onDone }: TaskProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('unanswered'), texts('kit')]
  const { reply } = task
  const params = { path: { workspaceId, id: reply.id } }
  if (task.kind === 'write') return <ChangeDialog {...{ reply, onClose, onDone }} />
  const remove = async () => {
    await ask(api.DELETE('/v1/workspaces/{workspaceId}/questions/replies/{id}', { params }))
    toast(t('replyDeleted'))
    onDone()
  }
  return (
    <ConfirmDialog
      danger
      title={t('deleteReply')}
      action={k('delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p class="break">{t('deleteReplyHint', { question: reply.question })}</p>
    </ConfirmDialog>
  )
}

function ChangeDialog({ reply, onClose, onDone }: Omit<TaskProps, 'task'> & { reply: Reply }) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('unanswered'), texts('kit')]
  const form = useForm({ answer: reply.answer })
  const write = async (body: Schemas['QuestionReplyUpdate']) => {
    const params = { path: { workspaceId, id: reply.id } }
    await ask(api.PUT('/v1/workspaces/{workspaceId}/questions/replies/{id}', { params, body }))
    toast(k('saved'))
    onDone()
    onClose()
  }
  return (
    <Dialog title={t('changeReply')} onClose={onClose} dirty={form.dirty}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void form.save(write)
        }}
      >
        <FormFault form={form} />
        <p class="break">{reply.question}</p>
        <TextArea
          {...form.text('answer')}
          label={t('answer')}
          hint={t('answerHint', { product: reply.productName })}
          autofocus
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {k('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
