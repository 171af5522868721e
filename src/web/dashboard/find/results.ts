import { api, ask, type Schemas } from '../../api.ts'
import type { IconName } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { type Membership, mayUse } from '../../session.ts'
import { maySee, pageGroups } from '../page_table.ts'

/** Something to go to. */
export interface Destination {
  key: string
  icon: IconName
  name: string
  /** What it is. */
  kind: string
  href: string
}

type Hit = Schemas['CatalogueHit']

const perKind = 5

/** Pages and actions whose words contain the text; all of them for an empty one. */
export function findPages(membership: Membership, text: string): Destination[] {
  const [t, f] = [texts('find'), texts('front')]
  const { workspaceId, role } = membership
  const at = (path: string) => `/w/${workspaceId}/${path}`
  const pages = pageGroups
    .flatMap((group) => group.pages)
    .filter((page) => maySee(role, page))
    .map(({ path, label, icon }) => ({ icon, name: f(label), kind: t('page'), href: at(path) }))
  const account = [
    { icon: 'person', name: f('account'), kind: t('page'), href: '/account' },
    { icon: 'key', name: f('integrations'), kind: t('page'), href: '/integrations' },
  ] as const
  const actions = [
    { needs: 'products', icon: 'plus', name: t('newProduct'), path: 'products/new' },
    { needs: 'collections', icon: 'plus', name: t('newCollection'), path: 'collections/new' },
    { needs: 'media', icon: 'upload', name: t('upload'), path: 'media' },
    { needs: 'change_sets', icon: 'upload', name: t('import'), path: 'changes/new' },
    { needs: 'members', icon: 'people', name: t('invite'), path: 'members' },
    { needs: 'credits', icon: 'wallet', name: t('buyCredits'), path: 'wallet' },
  ] as const
  const doable = actions
    .filter(({ needs }) => mayUse(role, needs))
    .map(({ icon, name, path }) => ({ icon, name, kind: t('action'), href: at(path) }))
  const wanted = fold(text)
  return [...doable, ...pages, ...account]
    .filter(({ name }) => fold(name).includes(wanted))
    .map((found) => ({ ...found, key: `${found.kind} ${found.href}` }))
}

/** Case and accents do not matter. */
function fold(text: string): string {
  return text.trim().toLocaleLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/ı/g, 'i')
}

/** How each kind of hit is shown, by the prefix of its id, and where it leads. */
const kinds = {
  prod: { icon: 'bag', text: 'product', pathOf: ({ id }: Hit) => `products/${id}` },
  coll: { icon: 'layers', text: 'collection', pathOf: ({ id }: Hit) => `collections/${id}` },
  tag: { icon: 'tag', text: 'tag', pathOf: ({ id }: Hit) => `products?tagId=${id}` },
  med: {
    icon: 'image',
    text: 'picture',
    pathOf: ({ text }: Hit) => `media?search=${encodeURIComponent(text)}`,
  },
} as const

/** What the catalogue has under these words. */
export async function findInCatalogue(
  { workspaceId, role }: Membership,
  search: string,
  signal: AbortSignal,
): Promise<Destination[]> {
  if (search.trim() === '' || !mayUse(role, 'products')) return []
  const t = texts('find')
  const params = { path: { workspaceId }, query: { search, limit: perKind } }
  const call = api.GET('/v1/workspaces/{workspaceId}/search', { signal, params })
  const { hits } = await ask(call)
  // Without `fields`, every hit is a line.
  return (hits as Hit[]).flatMap((hit) => {
    const prefix = hit.id.slice(0, hit.id.indexOf('_'))
    // A kind that this page is too old to know cannot be opened.
    if (!Object.hasOwn(kinds, prefix)) return []
    const { icon, text, pathOf } = kinds[prefix as keyof typeof kinds]
    const href = `/w/${workspaceId}/${pathOf(hit)}`
    const { name, status } = readText(hit.text)
    const kind = status ? `${t(text)} · ${texts('catalogue')(`status.${status}`)}` : t(text)
    return [{ key: hit.id, icon, name, kind, href }]
  })
}

/** The text is written for agents: people read the name, and a status in their language. */
function readText(text: string) {
  const [, name = text, status] = /^(.*) · stock \d+(?: · (INACTIVE|DELETED))?$/s.exec(text) ?? []
  return { name, status: status as 'INACTIVE' | 'DELETED' | undefined }
}
