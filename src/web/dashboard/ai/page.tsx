import { limits } from '../../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import type { Form } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { mayUse, useWorkspace } from '../../session.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { Synonyms } from './synonyms.tsx'
import { type ListedQuestion, QuestionList, writableQuestions } from './question_list.tsx'

type Settings = Schemas['AiSettings']
type Library = Schemas['QuestionLibrary']

const sectors = ['AUTO', 'GENERAL', 'BEAUTY', 'TEXTILE'] as const satisfies Settings['sector'][]

/** AI settings, for owners only, and the question library, for the staff role too. */
export function AiPage() {
  const { role } = useWorkspace()
  const t = texts('questions')
  return (
    <Page
      narrow
      title={t('title')}
      about={t('about')}
      actions={<HistoryLink of={{ topic: 'questions' }} />}
    >
      {mayUse(role, 'ai_settings') ? <AiSettings /> : null}
      <QuestionLibrary />
      {mayUse(role, 'ai_settings') ? <Synonyms /> : null}
    </Page>
  )
}

const settingsPath = '/v1/workspaces/{workspaceId}/ai-settings'
const libraryPath = '/v1/workspaces/{workspaceId}/questions'

function AiSettings() {
  const { workspaceId } = useWorkspace()
  const t = texts('questions')
  const read = () => askTagged(api.GET(settingsPath, { params: { path: { workspaceId } } }))
  const load = useLoad<Tagged<Settings>>(read, [workspaceId])
  return (
    <section class="card" aria-labelledby="assistant">
      <h2 id="assistant">{t('settings')}</h2>
      <Loaded load={load}>
        {(tagged) => <SettingsForm tagged={tagged} read={read} onRead={load.set} />}
      </Loaded>
    </section>
  )
}

interface FormProps<T> {
  tagged: Tagged<T>
  read: () => Promise<Tagged<T>>
  onRead: (tagged: Tagged<T>) => void
}

function SettingsForm({ tagged, read, onRead }: FormProps<Settings>) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId }
  return (
    <StoredForm
      draft="settings"
      resource={tagged}
      {...{ read, onRead }}
      valuesOf={({ value }) => value}
      write={(body, header) => ask(api.PUT(settingsPath, { params: { path, header }, body }))}
    >
      {(form) => <SettingsFields form={form} />}
    </StoredForm>
  )
}

function SettingsFields({ form }: { form: Form<Settings> }) {
  const t = texts('questions')
  const { values, set } = form
  return (
    <>
      <CheckField
        name="fastEnabled"
        label={t('fast')}
        hint={t('fastHint')}
        checked={values.fastEnabled}
        onChange={(fastEnabled) => set('fastEnabled', fastEnabled)}
      />
      <CheckField
        name="comprehensiveEnabled"
        label={t('comprehensive')}
        hint={t('comprehensiveHint')}
        checked={values.comprehensiveEnabled}
        onChange={(comprehensiveEnabled) => set('comprehensiveEnabled', comprehensiveEnabled)}
      />
      <SelectField
        name="sector"
        label={t('sector')}
        hint={t('sectorHint')}
        value={values.sector}
        error={form.errors['sector']}
        choices={sectors.map((value) => ({ value, label: t(`sector.${value}`) }))}
        onChange={(sector) => set('sector', sector)}
      />
    </>
  )
}

function QuestionLibrary() {
  const { workspaceId } = useWorkspace()
  const t = texts('questions')
  const read = () => askTagged(api.GET(libraryPath, { params: { path: { workspaceId } } }))
  const load = useLoad<Tagged<Library>>(read, [workspaceId])
  return (
    <section class="card" aria-labelledby="library">
      <div>
        <h2 id="library">{t('library')}</h2>
        <p class="hint">{t('libraryHint')}</p>
      </div>
      <Loaded load={load}>
        {(tagged) => <LibraryForm tagged={tagged} read={read} onRead={load.set} />}
      </Loaded>
    </section>
  )
}

function LibraryForm({ tagged, read, onRead }: FormProps<Library>) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId }
  return (
    <StoredForm<Tagged<Library>, { questions: ListedQuestion[] }>
      draft="library"
      resource={tagged}
      {...{ read, onRead }}
      valuesOf={({ value }) => ({ questions: writableQuestions(value.questions) })}
      write={(body, header) => ask(api.PUT(libraryPath, { params: { path, header }, body }))}
    >
      {(form) => <QuestionList form={form} limit={limits.QuestionLibraryUpdate.questions} />}
    </StoredForm>
  )
}
