import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { Entries, type KnowledgeEntry } from './entries.tsx'

type Knowledge = Schemas['ShopKnowledge']

const knowledgePath = '/v1/workspaces/{workspaceId}/shop-knowledge'

/** What is asked of the shop and not of a product, with its answers. */
export function KnowledgePage() {
  const { workspaceId } = useWorkspace()
  const t = texts('knowledge')
  const path = { workspaceId }
  const read = () => askTagged(api.GET(knowledgePath, { params: { path } }))
  const load = useLoad<Tagged<Knowledge>>(read, [workspaceId])
  return (
    <Page
      narrow
      title={t('title')}
      about={t('about')}
      actions={<HistoryLink of={{ topic: 'knowledge' }} />}
    >
      <Loaded load={load}>
        {(tagged) => (
          <StoredForm<Tagged<Knowledge>, { entries: KnowledgeEntry[] }>
            draft="knowledge"
            resource={tagged}
            read={read}
            onRead={load.set}
            valuesOf={({ value }) => ({ entries: value.entries })}
            write={(body, header) =>
              ask(api.PUT(knowledgePath, { params: { path, header }, body }))
            }
          >
            {(form) => <Entries form={form} />}
          </StoredForm>
        )}
      </Loaded>
    </Page>
  )
}
