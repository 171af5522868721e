import { limits } from '../../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { TextRows } from '../../kit/forms/text_rows.tsx'
import type { Form } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Stored = Schemas['Synonyms']

/** A group as it is typed: words with commas between them. */
interface SynonymValues {
  groups: string[]
}

const path = '/v1/workspaces/{workspaceId}/synonyms'

/** Words that mean the same in this shop, for search and the assistant. */
export function Synonyms() {
  const { workspaceId } = useWorkspace()
  const t = texts('questions')
  const read = () => askTagged(api.GET(path, { params: { path: { workspaceId } } }))
  const load = useLoad<Tagged<Stored>>(read, [workspaceId])
  return (
    <section class="card" aria-labelledby="synonyms">
      <div>
        <h2 id="synonyms">{t('synonyms')}</h2>
        <p class="hint">{t('synonymsHint')}</p>
      </div>
      <Loaded load={load}>
        {(tagged) => (
          <StoredForm<Tagged<Stored>, SynonymValues>
            draft="synonyms"
            resource={tagged}
            read={read}
            onRead={load.set}
            valuesOf={({ value }) => ({
              groups: value.groups.map(({ words }) => words.join(', ')),
            })}
            write={({ groups }, header) =>
              ask(
                api.PUT(path, {
                  params: { path: { workspaceId }, header },
                  body: { groups: groups.map((text) => ({ words: wordsIn(text) })) },
                }),
              )
            }
          >
            {(form) => <Groups form={form} />}
          </StoredForm>
        )}
      </Loaded>
    </section>
  )
}

function wordsIn(text: string): string[] {
  return text
    .split(/[,;]/)
    .map((word) => word.trim())
    .filter(Boolean)
}

function Groups({ form }: { form: Form<SynonymValues> }) {
  const t = texts('questions')
  const { groups } = form.values
  const change = (next: string[]) => form.set('groups', next)
  return (
    <TextRows
      field="groups"
      label={t('synonyms')}
      rows={groups.map((text, at) => ({
        key: String(at),
        name: `groups.${at}.words`,
        text,
        error: errorOf(form, at),
      }))}
      max={limits.Synonyms.groups.maxItems}
      addLabel={t('addGroup')}
      rowLabel={(number) => t('group', { number })}
      removeLabel={(number) => t('removeGroup', { number })}
      onInput={(at, text) => change(groups.with(at, text))}
      onRemove={(at) => change(groups.toSpliced(at, 1))}
      onAdd={() => change([...groups, ''])}
    />
  )
}

/** The error of a group, or of one of its words. */
function errorOf({ errors }: Form<SynonymValues>, at: number): string | undefined {
  const field = Object.keys(errors).find((name) => name.startsWith(`groups.${at}.`))
  return field === undefined ? undefined : errors[field]
}
