import {
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Media,
  type Shop,
} from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { onePixel } from '../browser.ts'

/** A shop with one of everything that pages list. */
export interface FilledShop extends Shop {
  /** The address of a page in `pages`. */
  addressOf: (path: string) => string
}

export async function givenFilledShop(service: TestService): Promise<FilledShop> {
  const shop = await givenShop(service)
  const tag = await givenTag(shop, 'Vegan')
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  const product = { name: 'Rose balm', imageIds: [media[0]!.id], tagIds: [tag.id] }
  const { id: productId } = await givenProduct(shop, product)
  const { id: collectionId } = await givenCollection(shop, { name: 'Gifts' })
  await shop.api.post(shop.at(`collections/${collectionId}/products/${productId}`)).expect(200)
  const addressOf = (path: string) => {
    const filled = path.replace('{productId}', productId).replace('{collectionId}', collectionId)
    return path.startsWith('/') ? path : `/w/${shop.workspaceId}/${filled}`
  }
  return { ...shop, addressOf }
}

/** Every page with its heading and a text that it shows once its data are loaded. */
export const pages: [path: string, heading: string, content: string][] = [
  ['home', 'A workspace', 'Set up your shop'],
  ['activity', 'Activity', 'Created'],
  ['products', 'Products', 'Rose balm'],
  ['products/new', 'New product', 'Details for the assistant'],
  ['products/{productId}', 'Rose balm', 'Cover'],
  ['collections', 'Collections', 'Gifts'],
  ['collections/{collectionId}', 'Gifts', 'Rose balm'],
  ['collections/new', 'New collection', 'Choose from the library'],
  ['tags', 'Tags', 'Vegan'],
  ['media', 'Media', 'rose.png'],
  ['changes', 'Changes', 'No changes yet'],
  ['website', 'Website', 'Ask the assistant'],
  ['ai', 'AI and questions', 'Add a question'],
  ['unanswered', 'Unanswered questions', 'No unanswered questions'],
  ['knowledge', 'Shop answers', 'No answers yet'],
  ['chat', 'Try the chat', 'Start the trial'],
  ['feedback', 'Feedback', 'No feedback yet'],
  ['wallet', 'Wallet', '5,000 credits'],
  ['usage', 'Usage', 'No visitors on these days'],
  ['usage?all=1', 'Usage', 'Numbers'],
  ['members', 'Members', 'Active'],
  ['webhooks', 'Webhooks', 'No webhooks yet'],
  ['profile', 'Workspace profile', 'Instructions for the assistant'],
  ['/integrations', 'Integrations', 'No agents are connected'],
  ['/account', 'Account', 'New email address'],
  ['/new-workspace', 'New workspace', 'Minimal'],
  ['/invitations', 'Invitations', 'No invitations'],
  ['/w/ws_nobodys/products', 'Workspace', 'You are not an active member of this workspace.'],
]

/** Each page is seen in one of these, in turns; `every_look.test.ts` sees each in all. */
export const sights = [
  { scheme: 'light', phone: false },
  { scheme: 'dark', phone: true },
  { scheme: 'light', phone: true },
  { scheme: 'dark', phone: false },
] as const
export type Sight = (typeof sights)[number]

export const sightOf = (path: string): Sight =>
  sights[pages.findIndex(([each]) => each === path) % sights.length]!
