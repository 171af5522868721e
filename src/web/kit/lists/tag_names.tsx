import { texts } from '../../language.ts'

const shownTags = 3

/** The first tags by name, and how many more there are. */
export function TagNames({ tags }: { tags: readonly { name: string }[] }) {
  const t = texts('kit')
  const others = tags.slice(shownTags).map(({ name }) => name)
  return (
    <span class="tag-names muted">
      <span class="clamp">
        {tags
          .slice(0, shownTags)
          .map(({ name }) => name)
          .join(', ')}
      </span>
      {others.length > 0 ? (
        <span class="nowrap-text" title={others.join(', ')}>
          +{others.length}
          <span class="hidden"> {t('moreTags', { count: others.length })}</span>
        </span>
      ) : null}
    </span>
  )
}
