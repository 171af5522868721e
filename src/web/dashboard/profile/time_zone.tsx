import type { Choice } from '../../kit/forms/choice.ts'
import { Field } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { among, Picker } from '../../kit/forms/picker.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { language, texts } from '../../language.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { timeZones } from '../../time.ts'
import { saveTimeZone, zoneName } from './zones.ts'

/** The time zone whose days Home and Usage count. */
export function TimeZone() {
  const t = texts('business')
  const { workspaceId, timeZone } = useWorkspace()
  const { refresh } = useSession()
  const form = useForm({ timeZone: timeZone ?? 'UTC' })
  const write = async (body: { timeZone: string }) => {
    await saveTimeZone(workspaceId, body.timeZone)
    await refresh()
  }
  return (
    <FormPage form={form} draft="time-zone" write={write}>
      <section class="card" aria-labelledby="time-zone">
        <h2 id="time-zone">{t('days')}</h2>
        <Field label={t('timeZone')} hint={t('timeZoneHint')} error={form.errors.timeZone}>
          {({ id }) => (
            <Picker
              id={id}
              label={t('timeZone')}
              chosen={choiceOf(form.values.timeZone)}
              find={(typed, signal) => among(timeZones().map(choiceOf))(typed, signal)}
              onChange={({ value }) => form.set('timeZone', value)}
            />
          )}
        </Field>
      </section>
    </FormPage>
  )
}

/** With how far it is from UTC today. */
function choiceOf(value: string): Choice<string> {
  const style = { timeZone: value, timeZoneName: 'shortOffset' } as const
  const parts = new Intl.DateTimeFormat(language(), style).formatToParts(new Date())
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return { value, label: value === 'UTC' ? value : `${zoneName(value)} (${offset})` }
}
