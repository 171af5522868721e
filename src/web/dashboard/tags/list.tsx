import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog, Dialog } from '../../kit/shell/dialog.tsx'
import { TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { NothingFound, Paged, SearchBox, Toolbar, useIsBlank } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { LibraryDrop } from '../media/library_drop.tsx'

type Tag = Schemas['Tag']

/** The open dialog: creating, editing or deleting a tag. */
type Task = { kind: 'write'; tag: Tag | undefined } | { kind: 'delete'; tag: Tag }

const defaults = { page: '1', search: '' }

export function TagsPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [query, change] = useQuery(defaults)
  const [task, setTask] = useState<Task | undefined>()
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/tags', {
          signal,
          params: {
            path: { workspaceId },
            query: { search: query.search, page: Number(query.page), pageSize: 50 },
          },
        }),
      ),
    [workspaceId, JSON.stringify(query)],
  )
  const isBlank = useIsBlank(list, query.search !== '')
  const newTag = (
    <button
      type="button"
      class="primary"
      onClick={() => setTask({ kind: 'write', tag: undefined })}
    >
      <Icon name="plus" />
      {t('newTag')}
    </button>
  )
  return (
    <Page narrow title={t('tags')} about={t('tagsAbout')} actions={newTag}>
      <LibraryDrop />
      {isBlank ? null : (
        <Toolbar>
          <SearchBox
            label={t('searchTags')}
            value={query.search}
            onSearch={(search) => change({ search })}
          />
        </Toolbar>
      )}
      <Loaded load={list}>
        {({ tags, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isBlank ? (
                <Empty icon="tag" title={t('noTags')} hint={t('noTagsHint')}>
                  {newTag}
                </Empty>
              ) : (
                <NothingFound onClear={() => change(defaults)} />
              )
            }
          >
            <Table caption={t('tags')} columns={columnsFor(setTask)} rows={tags} />
          </Paged>
        )}
      </Loaded>
      {task ? (
        <TaskDialog task={task} onClose={() => setTask(undefined)} onDone={list.reload} />
      ) : null}
    </Page>
  )
}

function columnsFor(start: (task: Task) => void): Column<Tag>[] {
  const [t, k] = [texts('catalogue'), texts('kit')]
  return [
    { title: texts('fields')('name'), main: true, cell: ({ name }) => <b class="clamp">{name}</b> },
    {
      title: k('actions'),
      numeric: true,
      cell: (tag) => (
        <span class="nowrap-text">
          <button
            type="button"
            class="plain"
            aria-label={t('editTag', { name: tag.name })}
            onClick={() => start({ kind: 'write', tag })}
          >
            {k('edit')}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={t('deleteTag', { name: tag.name })}
            onClick={() => start({ kind: 'delete', tag })}
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
  const [t, k] = [texts('catalogue'), texts('kit')]
  if (task.kind === 'write') return <TagDialog tag={task.tag} {...{ onClose, onDone }} />
  const { id, name } = task.tag
  const remove = async () => {
    const params = { path: { workspaceId, id } }
    await ask(api.DELETE('/v1/workspaces/{workspaceId}/tags/{id}', { params }))
    toast(t('deleted', { name }))
    onDone()
  }
  return (
    <ConfirmDialog
      danger
      title={t('deleteTag', { name })}
      action={k('delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('deleteTagHint')}</p>
    </ConfirmDialog>
  )
}

function TagDialog({ tag, onClose, onDone }: Omit<TaskProps, 'task'> & { tag: Tag | undefined }) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const form = useForm({ name: tag?.name ?? '' })
  /** The name that was sent, and what another tag with it is called. */
  const [told, setTold] = useState<{ of: string; name: string } | undefined>()
  const twin = told?.of === form.values.name ? told.name : undefined
  const write = async (body: Schemas['TagWrite']) => {
    const path = { workspaceId }
    if (told?.of !== body.name) {
      const other = await tagCalled(workspaceId, body.name, tag?.id)
      if (other) return setTold({ of: body.name, name: other.name })
    }
    const call = tag
      ? api.PUT('/v1/workspaces/{workspaceId}/tags/{id}', {
          params: { path: { ...path, id: tag.id } },
          body,
        })
      : api.POST('/v1/workspaces/{workspaceId}/tags', { params: { path }, body })
    await ask<Tag>(call)
    toast(k('saved'))
    onDone()
    onClose()
  }
  return (
    <Dialog
      title={tag ? t('renameTag', { name: tag.name }) : t('newTag')}
      onClose={onClose}
      dirty={form.dirty}
    >
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void form.save(write)
        }}
      >
        <FormFault form={form} />
        <TextField
          {...form.text('name')}
          label={texts('fields')('name')}
          limit={limits.TagWrite.name}
          autofocus
        />
        {twin === undefined ? null : (
          <p class="banner warning" role="alert">
            {t('tagExists', { name: twin })}
          </p>
        )}
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

/** Another tag of the same name, whatever the case of its letters. */
async function tagCalled(
  workspaceId: string,
  name: string,
  id: string | undefined,
): Promise<Tag | undefined> {
  const wanted = folded(name)
  if (wanted === '') return undefined
  const params = { path: { workspaceId }, query: { search: name.trim(), pageSize: 100 } }
  const { tags } = await ask(api.GET('/v1/workspaces/{workspaceId}/tags', { params }))
  return tags.find((one) => one.id !== id && folded(one.name) === wanted)
}

/** As the service's search folds it: ı, i and İ are one letter. */
const folded = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .trim()
    .replace(/\s+/gu, ' ')
