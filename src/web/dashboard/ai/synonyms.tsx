import { limits } from '../../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { TextField } from '../../kit/fields.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useRowFocus } from '../../kit/row_focus.ts'
import { Loaded } from '../../kit/states.tsx'
import { StoredForm } from '../../kit/stored_form.tsx'
import type { Form } from '../../kit/use_form.ts'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Stored = Schemas['Synonyms']

/** A group as it is typed: words with commas between them. */
interface Values {
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
          <StoredForm<Tagged<Stored>, Values>
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

function Groups({ form }: { form: Form<Values> }) {
  const t = texts('questions')
  const rows = useRowFocus<HTMLDivElement>()
  const { groups } = form.values
  const change = (next: string[]) => form.set('groups', next)
  return (
    <div class="stack" data-field="groups" data-label={t('synonyms')} ref={rows.container}>
      {groups.map((text, at) => (
        <div key={at} data-row class="row nowrap question">
          <div class="grow">
            <TextField
              name={`groups.${at}.words`}
              label={t('group', { number: at + 1 })}
              value={text}
              error={errorOf(form, at)}
              onInput={(typed) => change(groups.map((one, place) => (place === at ? typed : one)))}
            />
          </div>
          <button
            type="button"
            class="plain"
            aria-label={t('removeGroup', { number: at + 1 })}
            onClick={() => {
              change(groups.filter((_, place) => place !== at))
              rows.afterRemoval(at)
            }}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          disabled={groups.length >= limits.Synonyms.groups.maxItems}
          onClick={() => {
            change([...groups, ''])
            rows.onNew(groups.length)
          }}
        >
          <Icon name="plus" />
          {t('addGroup')}
        </button>
      </div>
    </div>
  )
}

/** The error of a group, or of one of its words. */
function errorOf({ errors }: Form<Values>, at: number): string | undefined {
  const field = Object.keys(errors).find((name) => name.startsWith(`groups.${at}.`))
  return field === undefined ? undefined : errors[field]
}
