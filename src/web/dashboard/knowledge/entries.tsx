import { limits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { TextArea, TextField } from '../../kit/forms/fields.tsx'
import { useRowFocus } from '../../kit/forms/row_focus.ts'
import type { Form } from '../../kit/forms/use_form.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { Empty } from '../../kit/shell/states.tsx'
import { texts } from '../../language.ts'

export type KnowledgeEntry = Schemas['ShopAnswerWrite']

const limit = limits.ShopKnowledgeUpdate.entries

/** Questions to the shop with their answers, typed, added and removed one by one. */
export function Entries({ form }: { form: Form<{ entries: KnowledgeEntry[] }> }) {
  const t = texts('knowledge')
  const { entries } = form.values
  const focus = useRowFocus<HTMLDivElement>()
  const change = (at: number, part: Partial<KnowledgeEntry>) =>
    form.set('entries', entries.with(at, { ...entries[at]!, ...part }))
  const add = (
    <button
      type="button"
      disabled={entries.length >= limit.maxItems}
      onClick={() => {
        form.set('entries', [...entries, { question: '', answer: '' }])
        focus.onNew(entries.length)
      }}
    >
      <Icon name="plus" />
      {t('add')}
    </button>
  )
  return (
    <div class="stack" data-field="entries" data-label={t('title')} ref={focus.container}>
      {entries.length === 0 ? (
        <Empty icon="chat" title={t('none')} hint={t('noneHint')}>
          {add}
        </Empty>
      ) : null}
      {entries.map((entry, at) => (
        <section key={at} data-row class="card" aria-label={t('entry', { number: at + 1 })}>
          <TextField
            name={`entries.${at}.question`}
            label={t('question')}
            limit={limit.items.question}
            value={entry.question}
            error={form.errors[`entries.${at}.question`]}
            onInput={(question) => change(at, { question })}
          />
          <TextArea
            name={`entries.${at}.answer`}
            label={t('answer')}
            rows={3}
            value={entry.answer}
            error={form.errors[`entries.${at}.answer`]}
            onInput={(answer) => change(at, { answer })}
          />
          <div>
            <button
              type="button"
              class="plain"
              aria-label={t('removeEntry', { number: at + 1 })}
              onClick={() => {
                form.set('entries', entries.toSpliced(at, 1))
                focus.afterRemoval(at)
              }}
            >
              <Icon name="trash" />
              {t('remove')}
            </button>
          </div>
        </section>
      ))}
      {entries.length === 0 ? null : <div>{add}</div>}
    </div>
  )
}
