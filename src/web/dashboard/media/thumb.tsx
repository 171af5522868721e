import type { Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'

/** Decorative thumbnail: the name beside it is the label. */
export function Thumb({ media }: { media: Schemas['Media'] | null | undefined }) {
  if (!media)
    return (
      <span class="thumb none">
        <Icon name="image" />
      </span>
    )
  return <img class="thumb" src={media.url} alt="" loading="lazy" />
}
