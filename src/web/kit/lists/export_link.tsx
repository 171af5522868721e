import { texts } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'

interface ExportProps {
  /** The path of the export, without its query. */
  path: string
  /** What the list shows; empty values are left out. */
  filters?: Record<string, string>
  label?: string
}

/** Downloads all that a list shows, as the service writes it. */
export function ExportLink({ path, filters = {}, label }: ExportProps) {
  const active = Object.entries(filters).filter(([, value]) => value !== '')
  const query = new URLSearchParams(active).toString()
  return (
    <a class="button" href={query === '' ? path : `${path}?${query}`} download>
      <Icon name="down" />
      {label ?? texts('kit')('exportCsv')}
    </a>
  )
}
