import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { Paged, Toolbar } from '../../kit/lists/list_tools.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useQuery } from '../../kit/lists/use_query.ts'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { fieldLabel, valueText } from '../activity/words.ts'
import { type ChangeSet, isUnderWay, setPath } from './change_set.ts'

type Row = Schemas['ChangeSetRow']
type Shown = Row & { id: string }
type Deed = 'error' | 'none' | 'create' | 'update' | 'delete'

const tones: Record<Deed, Tone> = {
  error: 'bad',
  none: 'quiet',
  create: 'good',
  update: 'info',
  delete: 'bad',
}

function deedOf({ action, changes, errors }: Row): Deed {
  if (Object.keys(errors).length > 0) return 'error'
  if (action === 'delete') return 'delete'
  if (changes.length === 0) return 'none'
  const isNew = action === 'create' || (action === 'upsert' && changes.every(isFilled))
  return isNew ? 'create' : 'update'
}

const isFilled = ({ before }: Row['changes'][number]) => before === null

/** The address may name any filter. */
function filterIn(only: string): 'errors' | 'changes' | undefined {
  return only === 'errors' || only === 'changes' ? only : undefined
}

/** The plan as a table: each row with what it changes, or why it cannot. */
export function PlanRows({ set }: { set: ChangeSet }) {
  const { workspaceId } = useWorkspace()
  const t = texts('changes')
  const { id, state } = set
  // Each step answers with another set, whose rows may be others.
  const version = isUnderWay(set) ? state : set
  const [{ page, only }, change] = useQuery({ page: '1', only: '' })
  const filter = filterIn(only)
  const query = { page: Number(page), pageSize: 25, ...(filter && { only: filter }) }
  const list = useLoad(
    (signal) =>
      ask(api.GET(`${setPath}/rows`, { signal, params: { path: { workspaceId, id }, query } })),
    [workspaceId, id, page, only, version],
  )
  return (
    <section class="stack" aria-labelledby="rows">
      <h2 id="rows">{t('rows')}</h2>
      <Toolbar>
        <Select
          label={t('show')}
          value={only}
          onChange={(next) => change({ only: next })}
          choices={(['', 'changes', 'errors'] as const).map((value) => ({
            value,
            label: t(`only.${value}`),
          }))}
        />
        {set.counts.errors > 0 && only !== 'errors' ? (
          <button type="button" class="link" onClick={() => change({ only: 'errors' })}>
            {t('showProblems', { count: set.counts.errors })}
          </button>
        ) : null}
      </Toolbar>
      <Loaded load={list}>
        {({ rows, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={<p class="muted">{t(only === '' ? 'noRows' : `none.${only as 'errors'}`)}</p>}
          >
            <Table
              caption={t('rows')}
              columns={columnsIn(workspaceId, set)}
              rows={rows.map((row) => ({ ...row, id: String(row.row) }))}
            />
          </Paged>
        )}
      </Loaded>
    </section>
  )
}

function columnsIn(workspaceId: string, set: ChangeSet): Column<Shown>[] {
  const t = texts('changes')
  return [
    {
      title: t('product'),
      main: true,
      cell: (row) => (
        <div class="cell-main">
          <div class="grow">
            <ProductName {...{ workspaceId, set, row }} />
            <small>
              {t('rowNumber', { number: formatNumber(row.row + firstRow(set)) })}
              {row.sku ? ` · ${row.sku}` : null}
            </small>
          </div>
        </div>
      ),
    },
    {
      title: t('deed'),
      cell: (row) => <Pill tone={tones[deedOf(row)]}>{t(`deed.${deedOf(row)}`)}</Pill>,
    },
    { title: t('changes'), whole: true, cell: (row) => <RowChanges row={row} /> },
  ]
}

/** Rows are counted as a spreadsheet does, where the names of the columns are row 1. */
const firstRow = ({ fileName }: ChangeSet) =>
  fileName !== null && !/\.(json|ndjson|jsonl)$/i.test(fileName) ? 2 : 1

/** A link where there is such a product now. */
function ProductName(props: { workspaceId: string; set: ChangeSet; row: Row }) {
  const { workspaceId, set, row } = props
  const name = row.name ?? row.productId ?? texts('changes')('noName')
  const deed = deedOf(row)
  const isThere =
    deed === 'create'
      ? set.state === 'APPLIED'
      : deed === 'delete'
        ? set.state !== 'APPLIED'
        : row.productId !== null
  if (!isThere) return <b class="clamp">{name}</b>
  return (
    <Link class="clamp" href={`/w/${workspaceId}/products/${row.productId}`}>
      {name}
    </Link>
  )
}

/** A new product leaves many fields empty, which says nothing. */
const hasValue = ({ before, after }: Row['changes'][number]) => before !== null || after !== null

function RowChanges({ row: { changes, errors } }: { row: Row }) {
  const faults = Object.entries(errors)
  if (faults.length > 0)
    return (
      <dl class="changes">
        {faults.map(([field, sentence]) => (
          <div key={field}>
            {field === 'row' ? null : <dt>{fieldLabel(field)}</dt>}
            <dd class="break error">{sentence}</dd>
          </div>
        ))}
      </dl>
    )
  return (
    <dl class="changes">
      {changes.filter(hasValue).map(({ field, before, after }) => (
        <div key={field}>
          <dt>{fieldLabel(field)}</dt>
          <dd class="break">
            {before === null ? null : (
              <>
                <del>{valueText(field, before)}</del>
                {' → '}
              </>
            )}
            <ins>{valueText(field, after)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
