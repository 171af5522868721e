import type { ComponentType } from 'preact'
import type { Schemas } from '../api.ts'
import type { IconName } from '../kit/icons.tsx'
import { lazyPage } from '../kit/page.tsx'
import type { TextKey } from '../language.ts'

type Role = Schemas['Role']

interface WorkspacePage {
  /** Where the page is, after the workspace. */
  path: string
  label: TextKey<'front'>
  icon: IconName
  /** Whom the service lets in. */
  roles: readonly Role[]
  page: ComponentType<object>
  /** The page of one thing of the list, at `path/:id`; `new` makes one. */
  detail?: ComponentType<{ id: string }>
}

const everybody: readonly Role[] = ['owner', 'staff', 'billing']
const catalogue: readonly Role[] = ['owner', 'staff']
const money: readonly Role[] = ['owner', 'billing']
const owners: readonly Role[] = ['owner']

/**
 * The pages of a workspace as the sidebar shows them. A new page is a row here, a file whose script
 * is loaded when the page is opened, and its texts in a section of
 * src/texts/en/pages.json and of every other language.
 */
export const pageGroups: readonly { title: TextKey<'front'>; pages: readonly WorkspacePage[] }[] = [
  {
    title: 'catalogue',
    pages: [
      {
        path: 'products',
        label: 'products',
        icon: 'bag',
        roles: catalogue,
        page: lazyPage(() => import('./products/list.tsx').then((m) => m.ProductsPage)),
        detail: lazyPage(() => import('./products/product.tsx').then((m) => m.ProductPage)),
      },
      {
        path: 'collections',
        label: 'collections',
        icon: 'layers',
        roles: catalogue,
        page: lazyPage(() => import('./collections/list.tsx').then((m) => m.CollectionsPage)),
        detail: lazyPage(() =>
          import('./collections/collection.tsx').then((m) => m.CollectionPage),
        ),
      },
      {
        path: 'tags',
        label: 'tags',
        icon: 'tag',
        roles: catalogue,
        page: lazyPage(() => import('./tags/list.tsx').then((m) => m.TagsPage)),
      },
      {
        path: 'media',
        label: 'media',
        icon: 'image',
        roles: catalogue,
        page: lazyPage(() => import('./media/list.tsx').then((m) => m.MediaPage)),
      },
    ],
  },
  {
    title: 'site',
    pages: [
      {
        path: 'website',
        label: 'website',
        icon: 'globe',
        roles: owners,
        page: lazyPage(() => import('./website/page.tsx').then((m) => m.WebsitePage)),
      },
      {
        path: 'ai',
        label: 'ai',
        icon: 'spark',
        roles: catalogue,
        page: lazyPage(() => import('./ai/page.tsx').then((m) => m.AiPage)),
      },
      {
        path: 'chat',
        label: 'chat',
        icon: 'chat',
        roles: owners,
        page: lazyPage(() => import('./chat/page.tsx').then((m) => m.ChatPage)),
      },
      {
        path: 'feedback',
        label: 'feedback',
        icon: 'inbox',
        roles: catalogue,
        page: lazyPage(() => import('./feedback/list.tsx').then((m) => m.FeedbackPage)),
      },
    ],
  },
  {
    title: 'business',
    pages: [
      {
        path: 'wallet',
        label: 'wallet',
        icon: 'wallet',
        roles: money,
        page: lazyPage(() => import('./wallet/page.tsx').then((m) => m.WalletPage)),
      },
      {
        path: 'usage',
        label: 'usage',
        icon: 'chart',
        roles: everybody,
        page: lazyPage(() => import('./usage/page.tsx').then((m) => m.UsagePage)),
      },
      {
        path: 'members',
        label: 'members',
        icon: 'people',
        roles: owners,
        page: lazyPage(() => import('./members/list.tsx').then((m) => m.MembersPage)),
      },
      {
        path: 'profile',
        label: 'profile',
        icon: 'shield',
        roles: owners,
        page: lazyPage(() => import('./profile/page.tsx').then((m) => m.ProfilePage)),
      },
    ],
  },
]
