import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import type { OperationId } from '../../src/operation.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { losses } from '../../src/surfaces/mcp/losses.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { errorOf, type Json, message, post, resultOf } from '../kit/agents.ts'
import {
  editable,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { image } from '../media/pictures.ts'

let service: TestService
let shop: Shop
let token: string
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '10000' } })
  shop = await givenShop(service)
  token = (await service.givenAgent(shop.person, { asksFirst: true })).token
})
afterAll(() => service.close())

const call = (name: string, args: Json, { held = token, search = '' } = {}) =>
  post(service, message('tools/call', { name, arguments: args }), bearer(held), search)

/** The preview that a call is answered with. */
async function previewOf(name: string, args: Json, search = '') {
  const { code, question, confirm } = errorOf(await call(name, args, { search }))
  expect(code).toBe('confirmation_required')
  return { question: String(question), confirm: String(confirm) }
}

const at = (args: Json) => ({ workspaceId: shop.workspaceId, ...args })
const stateAt = async (path: string) => {
  const { status, body } = await shop.api.get(shop.at(path))
  return { status, body: body as Json }
}

/** A call that loses something: what it reads, before and after, and what a person is asked. */
interface Losing {
  args: Json
  path: string
  question: string
}

/** A collection of so many products, with texts and tags. */
async function givenFull(count: number) {
  const [{ id, name }, { id: tagId }] = [await givenCollection(shop), await givenTag(shop)]
  const products = await Promise.all(Array.from({ length: count }, () => givenProduct(shop)))
  const productIds = products.map((product) => product.id)
  const values = { description: 'Red ones.', tagIds: [tagId], productIds }
  await shop.api
    .patch(shop.at(`collections/${id}`))
    .send(values)
    .expect(200)
  return { id, name, productIds, path: `collections/${id}` }
}

const withQuestions = async (path: string) => {
  const questions = [{ text: 'Vegan?' }, { text: 'Refill?' }]
  await shop.api.put(shop.at(path)).send({ questions }).expect(200)
}

const givenSet = async (title: string, rows: object[]) => {
  const { body } = await shop.api.post(shop.at('change-sets')).send({ title, rows }).expect(200)
  return (body as { id: string }).id
}

const situations: Record<string, () => Promise<Losing>> = {
  async delete_product() {
    const { id, name } = await givenProduct(shop)
    const question = `Delete the product “${name}” for good? This cannot be undone.`
    return { args: at({ id }), path: `products/${id}`, question }
  },
  async write_products() {
    const { id } = await givenProduct(shop)
    const question =
      'Delete, hide or clear texts, pictures, tags, links or collections of one product in one batch?'
    return {
      args: at({ data: { rows: [{ action: 'delete', id }] } }),
      path: `products/${id}`,
      question,
    }
  },
  async apply_change_set() {
    const { id: product } = await givenProduct(shop)
    const id = await givenSet('More', [{ action: 'patch', id: product, data: { stock: 77 } }])
    const question = 'Apply the change set “More”: create 0, change 1 and delete 0 products?'
    return { args: at({ id }), path: `products/${product}`, question }
  },
  async undo_change_set() {
    const id = await givenSet('New', [{ action: 'create', data: productBody() }])
    await shop.api.post(shop.at(`change-sets/${id}/apply`)).expect(200)
    const question = 'Undo the change set “New”? What it created is deleted.'
    return { args: at({ id }), path: `change-sets/${id}`, question }
  },
  async delete_collection() {
    const { id, name } = await givenCollection(shop)
    const question = `Delete the collection “${name}” for good? This cannot be undone.`
    return { args: at({ id }), path: `collections/${id}`, question }
  },
  async delete_tag() {
    const { id, name } = await givenTag(shop)
    const question = `Delete the tag “${name}” for good? This cannot be undone.`
    return { args: at({ id }), path: `tags/${id}`, question }
  },
  async delete_media() {
    const { args, path, question } = await situations.replace_media!()
    const name = /“.*”/.exec(question)![0]
    return {
      args: at({ id: args.id }),
      path,
      question: `Delete the media ${name} for good? This cannot be undone.`,
    }
  },
  async replace_media() {
    const picture = async () => ({
      fileName: `${unique('rose')}.png`,
      mimeType: 'image/png',
      base64: (await image()).toString('base64'),
    })
    const { body } = await shop.api.post(shop.at('media')).send(await picture())
    const data = await picture()
    const { id, fileName } = body as { id: string; fileName: string }
    const question = `Replace the content of the image “${fileName}”, which is used 0 times?`
    return { args: at({ id, data }), path: `media/${id}`, question }
  },
  async patch_product() {
    const { id, name } = await givenProduct(shop)
    const question = `Set the product “${name}” to DELETED? Visitors no longer see it.`
    return { args: at({ id, data: { status: 'DELETED' } }), path: `products/${id}`, question }
  },
  async update_product() {
    const product = await givenProduct(shop)
    const question = `Set the product “${product.name}” to DELETED? Visitors no longer see it.`
    const data = { ...editable(product), status: 'DELETED' }
    return { args: at({ id: product.id, data }), path: `products/${product.id}`, question }
  },
  async set_collection_products() {
    const { id, name, path } = await givenFull(2)
    const question = `Take all 2 products out of the collection “${name}”?`
    return { args: at({ id, data: { productIds: [] } }), path, question }
  },
  async remove_collection_product() {
    const { id, name, path, productIds } = await givenFull(1)
    const question = `Take the only product out of the collection “${name}”?`
    return { args: at({ id, productId: productIds[0] }), path, question }
  },
  async update_collection() {
    const { id, name, path } = await givenFull(1)
    const data = { name, description: '', tagIds: [], imageId: null }
    const question = `Clear the description and the tags of the collection “${name}”?`
    return { args: at({ id, data }), path, question }
  },
  async dismiss_question() {
    const { id: productId } = await givenProduct(shop)
    const { workspaceId } = shop
    await service.db
      .transaction()
      .execute((trx) =>
        recordUnanswered(trx, { workspaceId, productId, message: 'Is it blue?' }, service.now()),
      )
    const path = 'questions/unanswered'
    const { questions } = (await stateAt(path)).body as { questions: { id: string }[] }
    const question = 'Delete the visitor’s question “Is it blue?” without a reply?'
    return { args: at({ id: questions[0]!.id }), path, question }
  },
  patch_collection: () => situations.set_collection_products!(),
  async update_product_questions() {
    const { id } = await givenProduct(shop)
    const path = `products/${id}/questions`
    await withQuestions(path)
    const question = `Remove all 2 questions of the product “${id}”?`
    return { args: at({ id, data: { questions: [] } }), path, question }
  },
  async reset_product_questions() {
    const { args, ...rest } = await situations.update_product_questions!()
    return { args: at({ id: args.id }), ...rest }
  },
  async update_question_library() {
    await withQuestions('questions')
    const question = 'Remove all 2 questions of the library?'
    return { args: at({ data: { questions: [] } }), path: 'questions', question }
  },
  async update_shop_knowledge() {
    const entries = ['Is shipping free?', 'Do you wrap gifts?', 'Are you open?'].map(
      (question) => ({
        question,
        answer: 'Always.',
      }),
    )
    await shop.api.put(shop.at('shop-knowledge')).send({ entries }).expect(200)
    const question = 'Remove 2 of the 3 answers of the shop?'
    const args = at({ data: { entries: entries.slice(0, 1) } })
    return { args, path: 'shop-knowledge', question }
  },
  async update_synonyms() {
    const groups = [{ words: ['sunscreen', 'sun milk'] }]
    await shop.api.put(shop.at('synonyms')).send({ groups }).expect(200)
    const question = 'Remove the only group of synonyms?'
    return { args: at({ data: { groups: [] } }), path: 'synonyms', question }
  },
  update_website: () => {
    const args = at({ data: { accessPolicy: { visibility: 'SIGN_IN' } } })
    const question = 'Close the shop to visitors who have not signed in?'
    return Promise.resolve({ args, path: 'website', question })
  },
  update_workspace: () => {
    const args = at({ data: { isVisible: false } })
    return Promise.resolve({ args, path: 'workspace', question: 'Close the shop to all visitors?' })
  },
}

describe('an agent that must ask before anything is lost', () => {
  test.each([...losses.keys()])('previews %s, and does it with the confirmation', async (name) => {
    const { args, path, question: expected } = await situations[name]!()
    const before = await stateAt(path)
    const { question, confirm } = await previewOf(name, args)
    expect(question).toBe(expected)
    expect(await stateAt(path)).toEqual(before)
    resultOf(await call(name, { ...args, confirm }))
    expect(await stateAt(path)).not.toEqual(before)
  })

  test.each(['', '?confirm=false', '?toolsets=products', '/confirm', '/confirm?confirm=true'])(
    'must ask at /mcp%s',
    async (search) => {
      const { args, path } = await situations.delete_product!()
      const { question } = await previewOf('delete_product', args, search)
      expect(question).toMatch(/^Delete the product/)
      expect((await stateAt(path)).status).toBe(200)
    },
  )

  test('is not let off by arguments in another form', async () => {
    const { id } = await givenProduct(shop)
    const data = JSON.stringify({ status: 'DELETED' })
    await previewOf('patch_product', at({ id, data }))
    for (const confirm of ['', 'true', true, {}, 'v1.e30.e30'])
      await previewOf('patch_product', at({ id, data, confirm }))
  })

  test('is not asked where nothing is lost, and told first what is wrong', async () => {
    const { id } = await givenProduct(shop, { status: 'DELETED', information: '' })
    const { id: collectionId } = await givenCollection(shop)
    const full = await givenFull(4)
    const { tags } = (await stateAt(full.path)).body as { tags: { id: string }[] }
    const kept = { description: 'Better.', imageId: null, tagIds: tags.map((tag) => tag.id) }
    for (const [name, args] of [
      ['patch_product', { id, data: { status: 'DELETED', stock: 5 } }],
      ['patch_product', { id, data: { information: '', sales: [] } }],
      ['set_collection_products', { id: collectionId, data: { productIds: [] } }],
      ['set_collection_products', { id: full.id, data: { productIds: full.productIds.slice(2) } }],
      ['update_collection', { id: full.id, data: { ...kept, name: 'New' } }],
      ['patch_product', { id, data: { status: 'INACTIVE', description: 'New.' } }],
      ['update_website', { data: { headline: 'New' } }],
      ['update_website', { data: { accessPolicy: { visibility: 'PUBLIC' } } }],
    ] as const)
      expect(resultOf(await call(name, at(args))).isError).toBeUndefined()
    expect(errorOf(await call('delete_product', at({ id: 'prod_unknown' }))).code).toBe('not_found')
    const wrong = at({ id, data: { status: 'DELETED', stock: -1 } })
    expect(errorOf(await call('patch_product', wrong)).code).toBe('invalid_input')
  })

  const asked: [tool: string, situation: () => Promise<{ args: Json; question: string }>][] = [
    [
      'set_collection_products',
      async () => {
        const { id, name, productIds } = await givenFull(5)
        // As many as before, of which two were there.
        const others = (await givenFull(3)).productIds
        const data = { productIds: [...productIds.slice(3), ...others] }
        const question = `Take 3 of the 5 products out of the collection “${name}”?`
        return { args: at({ id, data }), question }
      },
    ],
    [
      'patch_collection',
      async () => {
        const { id, name, productIds } = await givenFull(3)
        const data = { productIds: productIds.slice(2), description: ' \u200b' }
        const question =
          `Take 2 of the 3 products out of the collection “${name}”? ` +
          `Clear the description of the collection “${name}”?`
        return { args: at({ id, data }), question }
      },
    ],
    [
      'patch_product',
      async () => {
        const tagIds = [(await givenTag(shop)).id, (await givenTag(shop)).id]
        const { id, name } = await givenProduct(shop, { description: 'Soft.', tagIds })
        const data = { description: '', tagIds: [], stock: 3 }
        const question = `Clear the description and all 2 tags of the product “${name}”?`
        return { args: at({ id, data }), question }
      },
    ],
    [
      'update_website',
      async () => {
        const values = { headline: 'Roses', seo: { title: 'Roses', description: '' } }
        await shop.api.put(shop.at('website')).send(values).expect(200)
        const data = { headline: '', tagline: '', seo: { title: '' } }
        return { args: at({ data }), question: 'Clear the headline and the title of the website?' }
      },
    ],
  ]

  test.each(asked)(
    'is asked by %s about what would be lost of the whole',
    async (name, situation) => {
      const { args, question } = await situation()
      expect((await previewOf(name, args)).question).toBe(question)
    },
  )

  test('takes products out of a collection unasked, several at once, until the last', async () => {
    const { id, productIds } = await givenFull(5)
    const remove = (productId: string) => call('remove_collection_product', at({ id, productId }))
    const removed = await Promise.all(productIds.slice(1).map(remove))
    for (const answer of removed) expect(resultOf(answer).isError).toBeUndefined()
    expect(errorOf(await remove(productIds[0]!)).code).toBe('confirmation_required')
  })

  test('sees the argument for it on the tools that may ask, and no other agent does', async () => {
    const takers = async (held: string) => {
      const { body } = await post(service, message('tools/list'), bearer(held))
      const { tools } = (body as { result: { tools: ReturnType<typeof readTools> } }).result
      const taking = tools.filter(({ inputSchema }) => 'confirm' in inputSchema.properties)
      return taking.map(({ name }) => name)
    }
    expect(await takers(token)).toEqual([...losses.keys()].sort())
    const other = await service.givenAgent(shop.person)
    expect(await takers(other.token)).toEqual([])
    const { id } = await givenProduct(shop)
    resultOf(await call('delete_product', at({ id }), { held: other.token }))
  })
})

/** Destructive tools that are not asked about, and why. */
const unasked: Partial<Record<OperationId, string>> = {
  remove_collection_tag: 'One tag a call, which can be added again.',
  remove_product_tag: 'One tag a call, which can be added again.',
  update_ai_settings: 'Three switches, which can be set back.',
  update_tag: 'A rename.',
}

test('every destructive tool is asked about, or there is a reason why not', () => {
  const destructive = readTools().filter(({ annotations }) => annotations.destructiveHint)
  const names = destructive.map(({ name }) => name as OperationId)
  const without = names.filter((name) => !losses.has(name) && unasked[name] === undefined)
  expect(without).toEqual([])
  const outdated = Object.keys(unasked).filter((name) => !names.includes(name as OperationId))
  expect(outdated).toEqual([])
})
