import { expect } from 'vitest'
import {
  type Collection,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenTag,
  type Media,
  type Product,
  type Tag,
} from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import type { OpenShop } from '../window/shop_pages.ts'

/** Words that stand nowhere else, each of which is given once. */
function wordsOf(name: string, count: number) {
  const words = Array.from({ length: count }, (_, index) => `${name}${index}x`)
  const left = [...words]
  return { words, left, next: () => left.pop()! }
}

export interface Canaries {
  words: string[]
  products: Product[]
  tag: Tag
}

/** Fifty words in everything of a shop that is not published. */
export async function givenCanaries(service: TestService, shop: OpenShop): Promise<Canaries> {
  const { words, left, next: secret } = wordsOf('canary', 50)
  const put = (path: string, body: object) => shop.api.put(shop.at(path)).send(body).expect(200)
  const media = await givenMediaRow(shop, `${secret()}.png`)
  const tag = await givenTag(shop, secret())
  const products = []
  for (const status of ['INACTIVE', 'DELETED', 'INACTIVE', 'DELETED', 'INACTIVE'] as const)
    products.push(
      await givenProduct(shop, {
        name: secret(),
        brand: secret(),
        sku: secret(),
        barcode: secret(),
        description: secret(),
        information: secret(),
        sales: [{ name: secret(), link: `https://${secret()}.example` }],
        imageIds: [media.id],
        tagIds: [tag.id],
        status,
      }),
    )
  const questions = [secret(), secret(), secret()].map((text) => ({ text }))
  await put(`products/${products[0]!.id}/questions`, { questions })
  await put('synonyms', { groups: [{ words: [secret(), secret()] }] })
  await put('workspace', { mainAgentPrompt: secret(), billingPhone: '+905550000001' })
  await shop.send('/feedback', { message: secret() })
  await service
    .dashboard(shop.person)
    .post(`/api/workspaces/${shop.workspaceId}/publishable-keys`)
    .send({ name: secret(), origins: ['https://ana.example'] })
    .expect(201)
  expect(left).toEqual([])
  return { words: [...words, '905550000001', shop.person.email], products, tag }
}

export interface Published {
  /** Each is told to visitors somewhere. */
  words: string[]
  product: Product
  collection: Collection
  tag: Tag
  picture: Media
}

/** A page of others that shows the widget. */
export const embedding = 'https://blog.example'

/** A word in everything of a shop that visitors see, but for its name and where to write to it. */
export async function givenPublished(shop: OpenShop, picture: Media): Promise<Published> {
  const { words, left, next: word } = wordsOf('published', 20)
  const put = (path: string, body: object) => shop.api.put(shop.at(path)).send(body).expect(200)
  const tag = await givenTag(shop, word())
  const product = await givenProduct(shop, {
    name: word(),
    brand: word(),
    sku: word(),
    barcode: '8690000000012',
    description: word(),
    information: word(),
    sales: [{ name: word(), link: `https://${word()}.example` }],
    imageIds: [picture.id],
    tagIds: [tag.id],
  })
  for (const each of ['one', 'two']) await givenProduct(shop, { name: each })
  const collection = await givenCollection(shop, { name: word(), description: word() })
  await shop.api.post(shop.at(`collections/${collection.id}/products/${product.id}`)).expect(200)
  await put('questions', { questions: [{ text: word() }] })
  await put(`products/${product.id}/questions`, { questions: [{ text: word() }] })
  await put('shop-knowledge', { entries: [{ question: word(), answer: word() }] })
  await shop.design({
    headline: word(),
    tagline: word(),
    about: word(),
    socialLinks: [`https://${word()}.example/ana`],
    seo: { title: word(), description: word() },
    contactEmail: 'hello@example.com',
    embedOrigins: [embedding],
  })
  expect(left).toEqual([])
  return {
    words: [...words, '8690000000012', picture.key, product.id],
    product,
    collection,
    tag,
    picture,
  }
}
