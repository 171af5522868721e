import type { ComponentType } from 'preact'
import type { Schemas } from '../api.ts'
import type { IconName } from '../kit/icons.tsx'
import { lazyPage } from '../kit/page.tsx'
import type { front } from '../messages/front.ts'

type Role = Schemas['Role']

interface WorkspacePage {
  /** Where the page is, after the workspace. */
  path: string
  label: keyof typeof front
  icon: IconName
  /** Whom the service lets in. */
  roles: readonly Role[]
  page: ComponentType<object>
  /** The page of one thing of the list, at `path/:id`; `new` makes one. */
  detail?: ComponentType<{ id: string }>
}

const catalogue: readonly Role[] = ['owner', 'staff']

/**
 * The pages of a workspace as the sidebar shows them. A new page is a row here, a file whose script
 * is loaded when the page is opened, and a catalogue of its texts in messages/.
 */
export const pageGroups: readonly { title: keyof typeof front; pages: readonly WorkspacePage[] }[] =
  [
    {
      title: 'catalogue',
      pages: [
        {
          ...({ path: 'products', label: 'products', icon: 'bag', roles: catalogue } as const),
          page: lazyPage(() => import('./products/list.tsx').then((m) => m.ProductsPage)),
          detail: lazyPage(() => import('./products/product.tsx').then((m) => m.ProductPage)),
        },
      ],
    },
  ]
