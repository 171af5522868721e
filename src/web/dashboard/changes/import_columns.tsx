import { useState } from 'preact/hooks'
import * as enums from '../../../generated/enums.ts'
import type { Failure } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { Select } from '../../kit/forms/select.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { wholeFailureText } from '../../kit/shell/failures.ts'
import { asFailure } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import type { Chosen, ChosenField } from './import_file.ts'

interface ColumnsProps {
  chosen: Chosen
  choose: (chosen: Chosen | undefined) => void
  plan: (chosen: Chosen) => Promise<void>
}

/** Which column of the file is which field, and what becomes of names that are not there yet. */
export function ImportColumns({ chosen, choose, plan }: ColumnsProps) {
  const t = texts('changes')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const { upload, fields, make } = chosen
  const taken = new Set(Object.values(fields))
  const isFound = taken.has('sku') || taken.has('id')
  /** A field has one column: another one gives it up. */
  const setField = (column: string, field: ChosenField) => {
    const next: Chosen['fields'] = {}
    for (const [name, has] of Object.entries(fields)) next[name] = has === field ? null : has
    choose({ ...chosen, fields: { ...next, [column]: field } })
  }
  const begin = () => {
    setBusy(true)
    setFailure(undefined)
    plan(chosen).catch((error: unknown) => {
      setFailure(asFailure(error))
      setBusy(false)
    })
  }
  const rows = upload.columns.map((column) => ({
    ...column,
    id: column.name,
    field: fields[column.name] ?? null,
  }))
  return (
    <>
      <section class="card row" aria-label={t('file')}>
        <span class="grow break">
          <b>{upload.fileName}</b> · {t('rowCount', { count: upload.rows })}
        </span>
        <button type="button" disabled={busy} onClick={() => choose(undefined)}>
          {t('otherFile')}
        </button>
      </section>
      <Table caption={t('columns')} columns={columnsWith(setField)} rows={rows} />
      {isFound ? null : <p class="banner warning">{t('allNew')}</p>}
      {isFound || taken.has('name') ? null : <p class="banner warning">{t('noNameColumn')}</p>}
      <div class="stack">
        {(['tags', 'collections'] as const).map((kind) =>
          taken.has(kind) ? (
            <CheckField
              key={kind}
              name={`make.${kind}`}
              label={t(`make.${kind}`)}
              checked={make[kind]}
              onChange={(checked) => choose({ ...chosen, make: { ...make, [kind]: checked } })}
            />
          ) : null,
        )}
      </div>
      {failure ? (
        <p class="banner bad" role="alert">
          {wholeFailureText(failure)}
        </p>
      ) : null}
      <div class="actions">
        <span class="muted">{t('nothingWritten')}</span>
        <button type="button" class="primary" disabled={busy} onClick={begin}>
          {busy ? t('checking') : t('checkRows', { count: upload.rows })}
        </button>
      </div>
    </>
  )
}

type ShownColumn = Chosen['upload']['columns'][number] & { id: string }

function columnsWith(
  setField: (column: string, field: ChosenField) => void,
): Column<ShownColumn>[] {
  const t = texts('changes')
  const choices = [
    { value: '', label: t('leaveOut') },
    ...enums.ImportField.map((value) => ({ value, label: texts('fields')(value) })),
  ]
  return [
    { title: t('column'), main: true, cell: ({ name }) => <b class="clamp">{name}</b> },
    {
      title: t('samples'),
      whole: true,
      cell: ({ samples }) => <span class="clamp muted">{samples.join(' · ')}</span>,
    },
    {
      title: t('field'),
      whole: true,
      cell: ({ name, field }) => (
        <Select
          label={t('fieldOf', { name })}
          value={field ?? ''}
          choices={choices}
          onChange={(value) =>
            setField(name, enums.ImportField.find((one) => one === value) ?? null)
          }
        />
      ),
    },
  ]
}
