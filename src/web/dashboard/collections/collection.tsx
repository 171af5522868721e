import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { DeleteButton } from '../delete_button.tsx'
import { LibraryDrop } from '../media/library_drop.tsx'
import { CollectionForm, NewCollectionForm } from './form.tsx'

type Collection = Schemas['Collection']

export function CollectionPage({ id }: { id: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const crumb = { href: `/w/${workspaceId}/collections`, label: t('collections') }
  if (id === 'new')
    return (
      <Page narrow title={t('newCollection')} crumb={crumb}>
        <NewCollectionForm />
      </Page>
    )
  return <ExistingCollection id={id} crumb={crumb} />
}

interface ExistingProps {
  id: string
  crumb: { href: string; label: string }
}

function ExistingCollection({ id, crumb }: ExistingProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId, id } }
  const read = () => askTagged(api.GET('/v1/workspaces/{workspaceId}/collections/{id}', { params }))
  const load = useLoad<Tagged<Collection>>(read, [id])
  return (
    <Page
      narrow
      title={load.value?.value.name ?? t('collection')}
      crumb={crumb}
      actions={
        load.value ? (
          <>
            <HistoryLink of={{ resourceId: id }} />
            <DeleteCollection collection={load.value.value} />
          </>
        ) : null
      }
    >
      <LibraryDrop />
      <Loaded load={load}>
        {(tagged) => <CollectionForm tagged={tagged} read={read} onRead={load.set} />}
      </Loaded>
    </Page>
  )
}

function DeleteCollection({ collection: { id, name } }: { collection: Collection }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId, id } }
  const remove = () => ask(api.DELETE('/v1/workspaces/{workspaceId}/collections/{id}', { params }))
  return (
    <DeleteButton
      {...{ name, remove }}
      action={t('deleteCollection')}
      backTo={`/w/${workspaceId}/collections`}
    >
      {t('deleteCollectionHint')}
    </DeleteButton>
  )
}
