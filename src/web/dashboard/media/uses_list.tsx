import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

/** Where a picture is shown, each with a link; nothing if it is not used. */
export function UsesList({ media }: { media: Schemas['Media'] }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId, id: media.id } }
  const load = useLoad(
    (signal) => ask(api.GET('/api/workspaces/{workspaceId}/media/{id}/uses', { signal, params })),
    [media.id],
  )
  if (!load.value || media.usageCount === 0) return null
  const { products, collections, isLogo } = load.value
  const links = [
    ...products.map((one) => ({ ...one, page: 'products' })),
    ...collections.map((one) => ({ ...one, page: 'collections' })),
  ]
  return (
    <div>
      <span class="label">{t('usedIn')}</span>
      <ul class="plain-list uses">
        {links.map(({ id, name, page }) => (
          <li key={id}>
            <Link class="clamp" href={`/w/${workspaceId}/${page}/${id}`}>
              {name}
            </Link>
          </li>
        ))}
        {isLogo ? <li>{t('usedAsLogo')}</li> : null}
      </ul>
    </div>
  )
}
