import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { useLastChange } from '../activity/last_change.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { Domains } from './domains.tsx'
import { Access, Look, SearchEngines, Texts } from './fields.tsx'
import { Preview, ToPreview } from './preview.tsx'
import { updateOf, valuesOf, type Website } from './values.ts'
import { ShopAddress, WhereItLives, WidgetLine } from './where.tsx'

const websitePath = '/v1/workspaces/{workspaceId}/website'

/** A website and the picture of its logo. */
interface LoadedWebsite extends Tagged<Website> {
  logo: Schemas['Media'] | null
}

async function readWebsite(workspaceId: string): Promise<LoadedWebsite> {
  const tagged = await askTagged(api.GET(websitePath, { params: { path: { workspaceId } } }))
  const { logoImageId: id } = tagged.value
  if (id === null) return { ...tagged, logo: null }
  const params = { path: { workspaceId, id } }
  const logo = await ask(api.GET('/v1/workspaces/{workspaceId}/media/{id}', { params }))
  return { ...tagged, logo }
}

export function WebsitePage() {
  const { workspaceId } = useWorkspace()
  const t = texts('website')
  const load = useLoad(() => readWebsite(workspaceId), [workspaceId])
  const templates = useLoad(() => ask(api.GET('/v1/templates')), [])
  return (
    <Page title={t('title')} about={t('about')} actions={<HistoryLink of={{ topic: 'website' }} />}>
      <Loaded load={load}>
        {(website) => (
          <WebsiteForm
            website={website}
            templates={templates.value?.templates ?? []}
            onRead={load.set}
          />
        )}
      </Loaded>
      <Domains />
    </Page>
  )
}

interface WebsiteFormProps {
  website: LoadedWebsite
  templates: Schemas['Template'][]
  onRead: (website: LoadedWebsite) => void
}

function WebsiteForm({ website, templates, onRead }: WebsiteFormProps) {
  const { workspaceId } = useWorkspace()
  const { refresh } = useSession()
  const path = { workspaceId }
  const changedBy = useLastChange({ topic: 'website' })
  return (
    <StoredForm
      changedBy={changedBy}
      draft="website"
      resource={website}
      read={() => readWebsite(workspaceId)}
      onRead={onRead}
      valuesOf={({ value, logo }) => valuesOf(value, logo)}
      write={async (values, header) => {
        await ask(api.PUT(websitePath, { params: { path, header }, body: updateOf(values) }))
        await refresh()
      }}
    >
      {(form) => (
        <div class="columns preview-columns">
          <div>
            <ToPreview />
            <Look form={form} templates={templates} />
            <Texts form={form} />
            <Access form={form} />
            <SearchEngines form={form} />
          </div>
          <div class="preview-side">
            <Preview values={form.values} />
            <ShopAddress />
            <WidgetLine />
            <WhereItLives />
          </div>
        </div>
      )}
    </StoredForm>
  )
}
