import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { useState } from 'preact/hooks'
import { language, texts } from '../../language.ts'
import type { Choice } from './choice.ts'
import { Field, TextField } from './fields.tsx'
import { among, Picker } from './picker.tsx'

/** The country of the reader's region, or the one where their language is mostly spoken. */
function countryOfReader(): CountryCode {
  const tags = [...navigator.languages, language()]
  const regions = tags.map((tag) => new Intl.Locale(tag).region)
  const likely = new Intl.Locale(language()).maximize().region
  const known: readonly string[] = getCountries()
  return [...regions, likely].find(
    (code) => code !== undefined && known.includes(code),
  ) as CountryCode
}

/** In E.164 form; a text that is no number of the country is returned as it is, to be refused. */
function internationalForm(text: string, country: CountryCode): string {
  const number = parsePhoneNumberFromString(text, country)
  return number?.isPossible() ? number.number : text.trim()
}

/** The calling code of a number in E.164 form, without its plus sign. */
export function callingCodeOf(value: string): string | null {
  return parsePhoneNumberFromString(value)?.countryCallingCode ?? null
}

interface PhoneFieldProps {
  name: string
  label: string
  /** The number in E.164 form, or a text that is none. */
  value: string
  error: string | undefined
  optional?: boolean
  onInput: (value: string) => void
}

/** A phone number, written as people in the chosen country write it. */
export function PhoneField({ value, error, onInput, ...field }: PhoneFieldProps) {
  const t = texts('kit')
  const [country, setCountry] = useState<CountryCode>(
    () => parsePhoneNumberFromString(value)?.country ?? countryOfReader(),
  )
  // What the person typed, while it stands for the form's value.
  const [typed, setTyped] = useState({ text: value, value })
  const text = typed.value === value ? typed.text : value
  const change = (next: string, of: CountryCode) => {
    const parsed = parsePhoneNumberFromString(next, of)
    const own = next.trim().startsWith('+') ? (parsed?.country ?? of) : of
    const international = internationalForm(next, own)
    setTyped({ text: next, value: international })
    setCountry(own)
    onInput(international)
  }
  return (
    <div class="phone">
      <Field label={t('country')}>
        {({ id }) => (
          <Picker
            id={id}
            label={t('country')}
            chosen={countryChoice(country)}
            find={(typed, signal) => among(countryChoices())(typed, signal)}
            onChange={({ value: code }) => change(text, code as CountryCode)}
          />
        )}
      </Field>
      <TextField
        {...field}
        {...{ error, value: text }}
        type="tel"
        autocomplete="tel"
        hint={value === '' || value === text.trim() ? t('phoneHint') : t('phoneSaved', { value })}
        onInput={(next) => change(next, country)}
      />
    </div>
  )
}

const countryNames = () => new Intl.DisplayNames(language(), { type: 'region' })

function countryChoice(value: CountryCode, names = countryNames()): Choice<CountryCode> {
  return { value, label: `${names.of(value) ?? value} +${getCountryCallingCode(value)}` }
}

function countryChoices(): Choice<CountryCode>[] {
  const names = countryNames()
  return getCountries()
    .map((value) => countryChoice(value, names))
    .sort((one, other) => one.label.localeCompare(other.label, language()))
}
