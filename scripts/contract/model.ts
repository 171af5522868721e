import type { Call } from './caller.ts'
import type { Operation } from './document.ts'
import { type Model, sequence, type Step } from './model_steps.ts'
import type { Scene } from './scene.ts'

/*
 * Sequences of writes against a model of the catalogue: what was answered is what is read, whatever came
 * in between, and a list has every row once.
 */

/** Plays a sequence; steps whose operations the document does not have are left out. */
export async function checkModel(
  scene: Scene,
  { length, seed }: { length: number; seed: number },
): Promise<void> {
  const { contract, report } = scene.caller
  const model: Model = { products: new Map(), tags: new Map(), collections: new Map() }
  const played: string[] = []
  const violate = (operation: Operation, fault: string) =>
    report.violate(operation, fault, `seed ${seed}, after ${played.slice(-8).join(', ')}`)

  async function succeed(operation: Operation, call: Call): Promise<unknown> {
    const { status, json } = await scene.send(operation, call)
    if (status >= 300) violate(operation, `answers ${status} in a sequence`)
    return json
  }

  async function create<T extends { name: string }>(
    operation: Operation,
    rows: Map<string, T>,
    fields: Omit<T, 'name'>,
    sent: object = {},
  ): Promise<void> {
    const body = { ...scene.exampleOf(operation), ...sent }
    const { id } = (await succeed(operation, { body })) as { id?: string }
    const { name } = body as { name?: string }
    if (id !== undefined) rows.set(id, { ...fields, name } as T)
  }

  /** A product as it is read must be as it was last answered. */
  async function checkProduct(after: Operation, id: string): Promise<void> {
    const get = contract.find('get_product')
    const expected = model.products.get(id)
    if (!get || !expected) return
    const { json } = await scene.send(get, { path: { id } })
    const read = (json ?? {}) as Record<string, unknown> & { tags?: { id: string }[] }
    const seen: Record<string, unknown> = { ...read, tags: read.tags?.map((tag) => tag.id) }
    for (const [name, value] of Object.entries(expected))
      if (String(seen[name]) !== String(value))
        violate(after, `was answered, but ${name} of the product is another when it is read`)
  }

  /** Every row once, over all pages, in their order where that is known. */
  async function checkRows(
    list: Operation,
    call: Call,
    expected: string[],
    { pageSize, isOrdered }: { pageSize: number; isOrdered: boolean },
  ): Promise<void> {
    const seen: string[] = []
    for (let page = 1; page <= Math.ceil(expected.length / pageSize) + 1; page++) {
      const query = { ...call.query, page, pageSize }
      const { products = [], pagination } = (await succeed(list, { ...call, query })) as {
        products?: { id: string }[]
        pagination?: { total: number }
      }
      seen.push(...products.map(({ id }) => id))
      if (pagination?.total !== expected.length)
        violate(list, `counts ${pagination?.total} of ${expected.length} products`)
    }
    const [left, right] = isOrdered ? [seen, expected] : [seen.toSorted(), expected.toSorted()]
    if (left.join() !== right.join())
      violate(list, `shows ${seen.length} rows of ${expected.length} products, or others`)
  }

  const play = steps({ scene, model, succeed, create, checkProduct, checkRows, violate })
  for (const step of sequence(length, seed)) {
    const operation = contract.find(step.kind)
    if (!operation) continue
    played.push(step.kind)
    await play(operation, step)
  }
}

interface Stage {
  scene: Scene
  model: Model
  succeed: (operation: Operation, call: Call) => Promise<unknown>
  create: <T extends { name: string }>(
    operation: Operation,
    rows: Map<string, T>,
    fields: Omit<T, 'name'>,
    sent?: object,
  ) => Promise<void>
  checkProduct: (after: Operation, id: string) => Promise<void>
  checkRows: (
    list: Operation,
    call: Call,
    expected: string[],
    way: { pageSize: number; isOrdered: boolean },
  ) => Promise<void>
  violate: (operation: Operation, fault: string) => void
}

const chosen = (rows: Map<string, unknown>, place: number) =>
  [...rows.keys()][place % Math.max(1, rows.size)]

function steps(stage: Stage) {
  const { scene, model, succeed, create, checkProduct, checkRows, violate } = stage
  const { products, tags, collections } = model

  async function remove(operation: Operation, id: string, readId: string): Promise<void> {
    await succeed(operation, { path: { id } })
    const read = scene.caller.contract.find(readId)
    const { status } = read ? await scene.send(read, { path: { id } }) : { status: 404 }
    if (status !== 404) violate(operation, `was answered, but what it removed is still read`)
  }

  /** Steps that need nothing, or one product. */
  async function playProduct(operation: Operation, step: Step, id: string): Promise<void> {
    const { stock, pageSize } = step
    if (step.kind === 'patch_product') {
      await succeed(operation, { path: { id }, body: { stock } })
      products.get(id)!.stock = stock
      await checkProduct(operation, id)
    } else if (step.kind === 'get_product') await checkProduct(operation, id)
    else if (step.kind === 'list_products') {
      const ids = [...products.keys()].slice(0, 50)
      await checkRows(operation, { query: { ids } }, ids, { pageSize, isOrdered: false })
      const tagId = chosen(tags, step.b)
      if (tagId === undefined) return
      const tagged = [...products].filter(([, row]) => row.tags.includes(tagId)).map(([key]) => key)
      await checkRows(operation, { query: { tagId } }, tagged, { pageSize, isOrdered: false })
    } else if (step.kind === 'delete_product') {
      await remove(operation, id, 'get_product')
      products.delete(id)
      for (const row of collections.values())
        row.products = row.products.filter((each) => each !== id)
    }
  }

  /** Steps of a tag. */
  async function playTag(operation: Operation, step: Step, id: string, tagId: string) {
    const product = products.get(id)
    if (step.kind === 'delete_tag') {
      await remove(operation, tagId, 'get_tag')
      tags.delete(tagId)
      for (const row of products.values()) row.tags = row.tags.filter((each) => each !== tagId)
      await checkProduct(operation, id)
    } else if (product && /^(add|remove)_product_tag$/.test(step.kind)) {
      await succeed(operation, { path: { id, tagId } })
      product.tags = product.tags.filter(
        (each) => each !== tagId || step.kind === 'add_product_tag',
      )
      if (step.kind === 'add_product_tag' && !product.tags.includes(tagId)) product.tags.push(tagId)
      await checkProduct(operation, id)
    }
  }

  /** Steps of a collection. */
  async function playCollection(operation: Operation, step: Step, productId: string, id: string) {
    const row = collections.get(id)
    if (!row) return
    const { pageSize } = step
    const isThere = row.products.includes(productId)
    if (step.kind === 'delete_collection') {
      await remove(operation, id, 'get_collection')
      collections.delete(id)
      return
    }
    if (step.kind === 'add_collection_product') {
      await succeed(operation, { path: { id, productId } })
      if (!isThere) row.products.push(productId)
    } else if (step.kind === 'remove_collection_product' && isThere) {
      await succeed(operation, { path: { id, productId } })
      row.products = row.products.filter((each) => each !== productId)
    } else if (step.kind === 'set_collection_products') {
      row.products = [...products.keys()].reverse().slice(0, step.a)
      await succeed(operation, { path: { id }, body: { productIds: row.products } })
    }
    const list = scene.caller.contract.find('list_collection_products')
    if (list) await checkRows(list, { path: { id } }, row.products, { pageSize, isOrdered: true })
  }

  return async (operation: Operation, step: Step): Promise<void> => {
    const { kind, stock, status } = step
    if (kind === 'create_product')
      return create(operation, products, { stock, status, tags: [] }, { stock, status })
    if (kind === 'create_tag') return create(operation, tags, {})
    if (kind === 'create_collection') return create(operation, collections, { products: [] })
    const id = chosen(products, step.a)
    const tagId = chosen(tags, step.b)
    const collectionId = chosen(collections, step.b)
    if (id === undefined) return
    await playProduct(operation, step, id)
    if (tagId !== undefined) await playTag(operation, step, id, tagId)
    if (collectionId !== undefined && kind.includes('collection'))
      await playCollection(operation, step, id, collectionId)
  }
}
