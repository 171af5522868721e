import type { Schemas } from '../../api.ts'
import { withScheme } from '../../kit/forms/addresses.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { useRowFocus } from '../../kit/forms/row_focus.ts'
import { texts } from '../../language.ts'

type Sale = Schemas['SalesEntry']

interface SalesProps {
  sales: Sale[]
  errors: Record<string, string>
  onChange: (sales: Sale[]) => void
}

const isBlank = ({ name, link }: Sale) => name.trim() === '' && link.trim() === ''

/** What is sent: no row that nobody has filled in, and links as they are meant. */
export function filledSales(sales: readonly Sale[]): Sale[] {
  return sales
    .filter((sale) => !isBlank(sale))
    .map((sale) => ({ ...sale, link: withScheme(sale.link) }))
}

/** The path of each row among those that are sent, where the service's errors are. */
function sentNames(sales: readonly Sale[]): string[] {
  let sent = 0
  return sales.map((sale, at) => (isBlank(sale) ? `blank.${at}` : `sales.${sent++}`))
}

/** Shops that sell the product. */
export function Sales({ sales, errors, onChange }: SalesProps) {
  const [t, f] = [texts('catalogue'), texts('fields')]
  const rows = useRowFocus<HTMLElement>()
  const names = sentNames(sales)
  const change = (at: number, part: Partial<Sale>) =>
    onChange(sales.map((sale, index) => (index === at ? { ...sale, ...part } : sale)))
  return (
    <section
      class="card"
      aria-labelledby="sales"
      data-field="sales"
      data-label={f('sales')}
      ref={rows.container}
    >
      <header>
        <div>
          <h2 id="sales">{f('sales')}</h2>
          <p class="hint">{t('salesHint')}</p>
        </div>
        <button
          type="button"
          onClick={() => {
            onChange([...sales, { name: '', link: '' }])
            rows.onNew(sales.length)
          }}
        >
          <Icon name="plus" />
          {t('addSale')}
        </button>
      </header>
      {sales.map((sale, at) => (
        <div key={at} data-row class="sale">
          <TextField
            name={`${names[at]}.name`}
            label={t('salesName')}
            value={sale.name}
            error={errors[`${names[at]}.name`]}
            onInput={(name) => change(at, { name })}
          />
          <TextField
            name={`${names[at]}.link`}
            label={t('salesLink')}
            value={sale.link}
            error={errors[`${names[at]}.link`]}
            placeholder="https://"
            type="url"
            onInput={(link) => change(at, { link })}
          />
          <button
            type="button"
            class="plain"
            aria-label={t('removeSale', { number: at + 1 })}
            onClick={() => {
              onChange(sales.filter((_, index) => index !== at))
              rows.afterRemoval(at)
            }}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
    </section>
  )
}
