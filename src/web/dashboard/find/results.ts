import { api, ask } from '../../api.ts'
import type { IconName } from '../../kit/icons.tsx'
import { texts } from '../../language.ts'
import { type Membership, mayUse } from '../../session.ts'
import { maySee, pageGroups } from '../page_table.ts'

/** Something to go to. */
export interface Found {
  key: string
  icon: IconName
  name: string
  /** What it is. */
  kind: string
  href: string
}

const perKind = 5
const base = '/v1/workspaces/{workspaceId}'

/** Pages and actions whose words contain the text; all of them for an empty one. */
export function findPages(membership: Membership, text: string): Found[] {
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

/** What the catalogue has under these words. */
export async function findInCatalogue(
  { workspaceId, role }: Membership,
  search: string,
  signal: AbortSignal,
): Promise<Found[]> {
  if (search.trim() === '' || !mayUse(role, 'products')) return []
  const t = texts('find')
  const path = { workspaceId }
  const query = { search, pageSize: perKind }
  const summary = { path, query: { ...query, view: 'summary' as const } }
  const [products, collections, tags, media] = await Promise.all([
    ask(api.GET(`${base}/products`, { signal, params: summary })),
    ask(api.GET(`${base}/collections`, { signal, params: summary })),
    ask(api.GET(`${base}/tags`, { signal, params: { path, query } })),
    ask(api.GET(`${base}/media`, { signal, params: { path, query } })),
  ])
  const at = (page: string) => `/w/${workspaceId}/${page}`
  const named = (name: string) => encodeURIComponent(name)
  return [
    ...products.products.map(({ id, name }) => ({
      key: id,
      icon: 'bag' as const,
      name,
      kind: t('product'),
      href: at(`products/${id}`),
    })),
    ...collections.collections.map(({ id, name }) => ({
      key: id,
      icon: 'layers' as const,
      name,
      kind: t('collection'),
      href: at(`collections/${id}`),
    })),
    ...tags.tags.map(({ id, name }) => ({
      key: id,
      icon: 'tag' as const,
      name,
      kind: t('tag'),
      href: at(`products?tagId=${id}`),
    })),
    ...media.media.map(({ id, fileName }) => ({
      key: id,
      icon: 'image' as const,
      name: fileName,
      kind: t('picture'),
      href: at(`media?search=${named(fileName)}`),
    })),
  ]
}
