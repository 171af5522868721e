import { useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { TextField } from '../forms/fields.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Icon } from '../shell/icons.tsx'

/** Filters and an order that were given a name. */
interface View<Query> {
  name: string
  query: Query
}

interface SavedViewsProps<Query> {
  /** Tells lists apart; views are kept in this browser. */
  list: string
  query: Query
  /** Whether there is anything to save. */
  isFiltered: boolean
  onOpen: (query: Query) => void
}

const maxNameLength = 40

/** Views that were saved, and a way to save this one. */
export function SavedViews<Query extends Record<string, string>>(props: SavedViewsProps<Query>) {
  const { list, query, isFiltered, onOpen } = props
  const t = texts('kit')
  const key = `vitrine-views:${list}`
  const [views, setViews] = useState(() => readViews<Query>(key))
  const [naming, setNaming] = useState(false)
  const keep = (next: View<Query>[]) => {
    setViews(next)
    writeViews(key, next)
  }
  const now = addressOf(query)
  const isSaved = views.some((view) => addressOf(view.query) === now)
  if (views.length === 0 && !isFiltered) return null
  return (
    <div class="chips" role="group" aria-label={t('views')}>
      {views.map((view) => (
        <span key={view.name} class="chip">
          <button
            type="button"
            class="link"
            aria-pressed={addressOf(view.query) === now}
            onClick={() => onOpen(view.query)}
          >
            {view.name}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={t('removeView', { name: view.name })}
            onClick={() => keep(views.filter((one) => one !== view))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {isFiltered && !isSaved ? (
        <button type="button" class="link" onClick={() => setNaming(true)}>
          {t('saveView')}
        </button>
      ) : null}
      {naming ? (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, query }])
            setNaming(false)
          }}
        />
      ) : null}
    </div>
  )
}

interface NameDialogProps {
  onName: (name: string) => void
  onClose: () => void
}

function NameDialog({ onName, onClose }: NameDialogProps) {
  const t = texts('kit')
  const [name, setName] = useState('')
  return (
    <Dialog title={t('saveView')} onClose={onClose} dirty={name.trim() !== ''}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onName(name.trim())
        }}
      >
        <TextField
          name="view"
          label={t('viewName')}
          hint={t('viewHint')}
          limit={{ maxLength: maxNameLength }}
          value={name}
          onInput={setName}
          autofocus
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="primary" disabled={name.trim() === ''}>
            {t('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What makes two views one; the page is no part of it. */
function addressOf({ page: _page, ...filters }: Record<string, string>): string {
  return new URLSearchParams(filters).toString()
}

function readViews<Query>(key: string): View<Query>[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as View<Query>[]
  } catch {
    return []
  }
}

function writeViews<Query>(key: string, views: View<Query>[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(views))
  } catch {
    // Storage may be blocked; then views last as long as the page.
  }
}
