import { Link } from 'wouter-preact'
import * as enums from '../../generated/enums.ts'
import { api, ask, type Schemas } from '../api.ts'
import { Select } from '../kit/forms/select.tsx'
import { type Column, Table } from '../kit/lists/table.tsx'
import { findText, formatNumber, formatTime, texts } from '../language.ts'
import { ListPage } from './list_page.tsx'

type Entry = Schemas['AuditEntry']
type AuditValue = NonNullable<Schemas['AuditState']>[string]

const actions: readonly string[] = enums.AuditAction

/** The audit: who changed what and when, with the values before and after. */
export function AuditPage() {
  const t = texts('admin')
  return (
    <ListPage
      title={t('audit')}
      about={t('auditAbout')}
      searchLabel={t('searchAudit')}
      empty={{ icon: 'check', title: t('noAudit') }}
      ask={(query, signal) => ask(api.GET('/api/admin/audit', { params: { query }, signal }))}
      tools={(search, onSearch) => (
        <Select
          label={t('action')}
          value={actions.includes(search) ? search : ''}
          onChange={onSearch}
          choices={[
            { value: '', label: t('allActions') },
            ...enums.AuditAction.map((action) => ({ value: action, label: t(`action.${action}`) })),
          ]}
        />
      )}
    >
      {({ entries }) => <Table caption={t('audit')} columns={columns()} rows={entries} />}
    </ListPage>
  )
}

/** Text for a name from the contract; falls back to the name itself. */
function inWords(kind: 'action' | 'field' | 'value', name: string): string {
  return findText('admin', `${kind}.${name}`) ?? name
}

function columns(): Column<Entry>[] {
  const t = texts('admin')
  return [
    {
      title: t('when'),
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatTime(createdAt)}</span>,
    },
    {
      title: t('action'),
      cell: ({ action, staffEmail }) => (
        <div class="cell-text act">
          <b>{inWords('action', action)}</b>
          <small>{staffEmail === 'operator' ? t('operator') : staffEmail}</small>
        </div>
      ),
    },
    { title: t('change'), cell: (entry) => <Change entry={entry} /> },
    { title: t('subject'), wide: true, cell: (entry) => <Subject entry={entry} /> },
  ]
}

/** Where each kind of subject has a page. */
const places: Partial<Record<Entry['subjectType'], string>> = {
  account: '/accounts/',
  workspace: '/workspaces/',
  source: '/sources/',
  contact_request: '/contact-requests?search=',
}

/** Links to the subject if it has a page. */
function Subject({ entry }: { entry: Entry }) {
  const t = texts('admin')
  const { subjectType, subjectId } = entry
  const place = places[subjectType]
  const href = place && `${place}${encodeURIComponent(subjectId)}`
  return (
    <div class="cell-text id">
      <span>{t(`subject.${subjectType}`)}</span>
      <small>{href ? <Link href={href}>{subjectId}</Link> : subjectId}</small>
    </div>
  )
}

/** Display order: the action, its result, the reason. */
const order = ['credits', 'balance', 'reason']

function rankOf(field: string): number {
  return order.indexOf(field)
}

/** Each changed field: the old value struck out, then the new one. */
function Change({ entry }: { entry: Entry }) {
  const t = texts('admin')
  const [before, after] = [entry.before ?? {}, entry.after ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const fields = names.toSorted((a, b) => rankOf(a) - rankOf(b))
  return (
    <dl class="change">
      {fields.map((field) => (
        <div key={field}>
          <dt>{inWords('field', field)}</dt>
          <dd>
            {field in before && field in after ? (
              <>
                <span class="hidden">{t('before')}: </span>
                <del>{formatValue(field, before[field])}</del>
                <span aria-hidden="true"> → </span>
                <span class="hidden">, {t('after')}: </span>
                <ins>{formatValue(field, after[field])}</ins>
              </>
            ) : field in after ? (
              <ins>{formatValue(field, after[field])}</ins>
            ) : (
              <del>{formatValue(field, before[field])}</del>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function formatValue(field: string, value: AuditValue | undefined): string {
  if (value === null || value === undefined) return texts('admin')('nothing')
  if (typeof value === 'boolean') return texts('kit')(value ? 'yes' : 'no')
  // Credits are a difference, so show the sign.
  const sign = field === 'credits' && Number(value) > 0 ? '+' : ''
  if (typeof value === 'number') return sign + formatNumber(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatTime(value)
  if (field !== 'sections') return inWords('value', value)
  return value
    .split(', ')
    .map((section) => inWords('value', section))
    .join(', ')
}
