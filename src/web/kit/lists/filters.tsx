import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'

/** A filter that is set: what it is called, and how it is taken off. */
export interface SetFilter {
  label: string
  clear: () => void
}

interface FiltersProps {
  active: readonly SetFilter[]
  /** The fields. */
  children: ComponentChildren
}

/** The filters of a list. On phones they open by one button, and what is set stands below it. */
export function Filters({ active, children }: FiltersProps) {
  const t = texts('kit')
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        class="filters-toggle"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {t('filters')} {active.length > 0 ? <span class="count">{active.length}</span> : null}
      </button>
      <div id={id} class={open ? 'filters open' : 'filters'}>
        {children}
      </div>
      {active.length > 0 && !open ? (
        <div class="set-filters chips">
          {active.map(({ label, clear }) => (
            <button
              key={label}
              type="button"
              class="chip"
              aria-label={t('removeFilter', { name: label })}
              onClick={clear}
            >
              {label}
              <Icon name="close" />
            </button>
          ))}
        </div>
      ) : null}
    </>
  )
}

/** The words of a chosen value, for the list of what is set. */
export function setFilter<V extends string>(
  value: V,
  choices: readonly { value: V; label: string }[],
  clear: () => void,
): SetFilter[] {
  const chosen = choices.find((choice) => choice.value === value)
  return value === '' || !chosen ? [] : [{ label: chosen.label, clear }]
}
