import type { Role, WorkspaceTag } from '../../generated/roles.ts'
import type { IconName } from '../kit/shell/icons.tsx'
import { type LazyPage, lazyPage } from '../kit/shell/page.tsx'
import type { TextKey } from '../language.ts'
import { mayUse } from '../session.ts'

interface WorkspacePage {
  /** Path below the workspace. */
  path: string
  label: TextKey<'front'>
  icon: IconName
  /** Tags of the operations the page requires. */
  needs: readonly WorkspaceTag[]
  /** Whether it calls with an API key, which only works for the workspace's owner. */
  callsByKey?: boolean
  page: LazyPage<object>
  /** Page of one item, at `path/:id`; the id `new` creates one. */
  detail?: LazyPage<{ id: string }>
}

/** Whether the role may call everything the page needs. */
export function maySee(role: Role, { needs, callsByKey }: WorkspacePage): boolean {
  return needs.every((tag) => mayUse(role, tag)) && (callsByKey !== true || role === 'owner')
}

/**
 * The pages of a workspace, in sidebar order. To add a page, add a row here, a file that is
 * lazy-loaded, and a section in src/texts/en/pages.json and in every other language.
 */
export const pageGroups: readonly { title: TextKey<'front'>; pages: readonly WorkspacePage[] }[] = [
  {
    title: 'overview',
    pages: [
      {
        path: 'home',
        label: 'home',
        icon: 'home',
        needs: [],
        page: lazyPage(() => import('./home/page.tsx').then((m) => m.HomePage)),
      },
      {
        path: 'activity',
        label: 'activity',
        icon: 'clock',
        needs: ['activity'],
        page: lazyPage(() => import('./activity/list.tsx').then((m) => m.ActivityPage)),
      },
    ],
  },
  {
    title: 'catalogue',
    pages: [
      {
        path: 'products',
        label: 'products',
        icon: 'bag',
        needs: ['products', 'collections', 'tags', 'media', 'questions'],
        page: lazyPage(() => import('./products/list.tsx').then((m) => m.ProductsPage)),
        detail: lazyPage(() => import('./products/product.tsx').then((m) => m.ProductPage)),
      },
      {
        path: 'collections',
        label: 'collections',
        icon: 'layers',
        needs: ['collections', 'products', 'tags', 'media'],
        page: lazyPage(() => import('./collections/list.tsx').then((m) => m.CollectionsPage)),
        detail: lazyPage(() =>
          import('./collections/collection.tsx').then((m) => m.CollectionPage),
        ),
      },
      {
        path: 'tags',
        label: 'tags',
        icon: 'tag',
        needs: ['tags'],
        page: lazyPage(() => import('./tags/list.tsx').then((m) => m.TagsPage)),
      },
      {
        path: 'media',
        label: 'media',
        icon: 'image',
        needs: ['media'],
        page: lazyPage(() => import('./media/list.tsx').then((m) => m.MediaPage)),
      },
      {
        path: 'changes',
        label: 'changes',
        icon: 'replace',
        needs: ['change_sets', 'products'],
        page: lazyPage(() => import('./changes/list.tsx').then((m) => m.ChangesPage)),
        detail: lazyPage(() => import('./changes/set_page.tsx').then((m) => m.ChangeSetPage)),
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
        needs: ['website', 'media'],
        page: lazyPage(() => import('./website/page.tsx').then((m) => m.WebsitePage)),
      },
      {
        path: 'ai',
        label: 'ai',
        icon: 'spark',
        needs: ['questions'],
        page: lazyPage(() => import('./ai/page.tsx').then((m) => m.AiPage)),
      },
      {
        path: 'unanswered',
        label: 'unanswered',
        icon: 'alert',
        needs: ['questions'],
        page: lazyPage(() => import('./unanswered/list.tsx').then((m) => m.UnansweredPage)),
      },
      {
        path: 'knowledge',
        label: 'knowledge',
        icon: 'book',
        needs: ['knowledge'],
        page: lazyPage(() => import('./knowledge/page.tsx').then((m) => m.KnowledgePage)),
      },
      {
        path: 'chat',
        label: 'chat',
        icon: 'chat',
        needs: [],
        callsByKey: true,
        page: lazyPage(() => import('./chat/page.tsx').then((m) => m.ChatPage)),
      },
      {
        path: 'feedback',
        label: 'feedback',
        icon: 'inbox',
        needs: ['feedback'],
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
        needs: ['wallet', 'credits'],
        page: lazyPage(() => import('./wallet/page.tsx').then((m) => m.WalletPage)),
      },
      {
        path: 'usage',
        label: 'usage',
        icon: 'chart',
        needs: ['usage'],
        page: lazyPage(() => import('./usage/page.tsx').then((m) => m.UsagePage)),
      },
      {
        path: 'members',
        label: 'members',
        icon: 'people',
        needs: ['members'],
        page: lazyPage(() => import('./members/list.tsx').then((m) => m.MembersPage)),
      },
      {
        path: 'webhooks',
        label: 'webhooks',
        icon: 'link',
        needs: ['webhooks'],
        page: lazyPage(() => import('./webhooks/list.tsx').then((m) => m.WebhooksPage)),
        detail: lazyPage(() => import('./webhooks/webhook.tsx').then((m) => m.WebhookPage)),
      },
      {
        path: 'profile',
        label: 'profile',
        icon: 'shield',
        needs: ['workspace'],
        page: lazyPage(() => import('./profile/page.tsx').then((m) => m.ProfilePage)),
      },
    ],
  },
]

/** Fetches the script of the page at an address, while it is found out who is signed in. */
export function fetchPageAt(pathname: string): void {
  const [, , , path, id] = pathname.split('/')
  const found = pageGroups.flatMap(({ pages }) => pages).find((page) => page.path === path)
  const page = id === undefined ? found?.page : found?.detail
  // If it cannot be fetched now, the page itself tries again and says so.
  page?.fetch().catch(() => undefined)
}
