import { useId, useRef, useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Tag = Schemas['Tag']

interface TagPickerProps {
  tags: Tag[]
  onChange: (tags: Tag[]) => void
}

const maxSuggestions = 6

/** Tags of a product or collection; typing finds or creates one. */
export function TagPicker({ tags, onChange }: TagPickerProps) {
  const { workspaceId } = useWorkspace()
  const [t, f] = [texts('catalogue'), texts('fields')]
  const id = useId()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const search = text.trim()
  const results = useLoad(
    (signal) =>
      search === ''
        ? Promise.resolve([])
        : ask(
            api.GET('/v1/workspaces/{workspaceId}/tags', {
              signal,
              params: { path: { workspaceId }, query: { search, pageSize: 20 } },
            }),
          ).then((list) => list.tags),
    [search],
  )
  const matches = results.value ?? []
  const suggestions = matches.filter((tag) => !tags.some((other) => other.id === tag.id))
  const exact = [...matches, ...tags].find((tag) => sameName(tag.name, search))
  // The pressed button disappears: move the focus to the input for the next tag.
  const change = (next: Tag[]) => {
    onChange(next)
    input.current?.focus()
  }
  const add = (tag: Tag) => {
    setText('')
    if (!tags.some((other) => other.id === tag.id)) change([...tags, tag])
  }
  const create = () => {
    const params = { path: { workspaceId } }
    const call = api.POST('/v1/workspaces/{workspaceId}/tags', { params, body: { name: search } })
    ask(call).then(add, toastFailure)
  }
  return (
    <div class="field" data-field="tags" data-label={f('tags')}>
      <label for={id}>{f('tags')}</label>
      {tags.length > 0 ? (
        <div class="chips">
          {tags.map((tag) => (
            <span key={tag.id} class="chip">
              {tag.name}
              <button
                type="button"
                class="plain"
                aria-label={t('removeTag', { name: tag.name })}
                onClick={() => change(tags.filter((other) => other.id !== tag.id))}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
        </div>
      ) : null}
      <input
        ref={input}
        id={id}
        type="text"
        autocomplete="off"
        placeholder={t('addTag')}
        maxLength={limits.TagWrite.name.maxLength}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (exact) add(exact)
          else if (search !== '' && !results.loading) create()
        }}
      />
      {search === '' ? null : (
        <div class="chips" role="group" aria-label={t('addTag')}>
          {suggestions.slice(0, maxSuggestions).map((tag) => (
            <button key={tag.id} type="button" class="chip" onClick={() => add(tag)}>
              {tag.name}
            </button>
          ))}
          {exact || results.loading ? null : (
            <button type="button" class="chip" onClick={create}>
              {t('createTag', { name: search })}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function sameName(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0
}
