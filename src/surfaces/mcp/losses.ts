import type { Input, OperationId, Output } from '../../operation.ts'
import { cleared, clears } from './clearings.ts'

/** A call that may lose something. A new operation that can do so needs a row in the table below. */
export interface Loss {
  /** The tool that reads the current state, and its arguments besides the ids of the call. */
  reads: OperationId
  readsWith?: Record<string, unknown>
  /** Whether the call may lose something, by its validated input alone. */
  mayLose: (input: unknown) => boolean
  /**
   * The question to the person; undefined if nothing would be lost after all. If the connection may not
   * read the current state, it asks by id.
   */
  question: (input: unknown, current: unknown) => string | undefined
}

function loss<Id extends OperationId, Read extends OperationId>(
  _operation: Id,
  reads: Read,
  mayLose: (input: Input<Id>) => boolean,
  question: (input: Input<Id>, current: Output<Read> | undefined) => string | undefined,
): Loss {
  return {
    reads,
    mayLose: (input) => mayLose(input as Input<Id>),
    question: (input, current) => question(input as Input<Id>, current as Output<Read> | undefined),
  }
}

const always = () => true

/** A name in a question, or the id where the name is not known. */
const named = (name: string | undefined, id: string) => `“${name ?? id}”`

const deletion = (kind: string, id: string, name: string | undefined) =>
  `Delete the ${kind} ${named(name, id)} for good? This cannot be undone.`

/** One question of several, or none. */
const together = (...questions: (string | undefined)[]) =>
  questions.filter(Boolean).join(' ') || undefined

/** A product that is already hidden is not asked about. */
function hidden(
  { path, body }: Input<'patch_product' | 'update_product'>,
  product: Output<'get_product'> | undefined,
): string | undefined {
  if (body.status !== 'DELETED' || product?.status === 'DELETED') return undefined
  return `Set the product ${named(product?.name, path.id)} to DELETED? Visitors no longer see it.`
}

/** Asks if fewer than half would be left, or if the present number is not known. */
function shrunk(
  { one, had, left }: { one: string; had: number | undefined; left: number },
  words: { some: (what: string) => string; unknown: string },
): string | undefined {
  if (had === undefined) return words.unknown
  if (left * 2 >= had) return undefined
  if (had === 1) return words.some(`the only ${one}`)
  const several = one.replace(/^\w+/, '$&s')
  return words.some(left === 0 ? `all ${had} ${several}` : `${had - left} of the ${had} ${several}`)
}

/** Compares the products, not their number: new products do not make up for removed ones. */
function shrunkCollection(
  id: string,
  collection: Output<'get_collection'> | undefined,
  isLeft: (productId: string) => boolean,
): string | undefined {
  const left = collection?.productIds.filter(isLeft).length ?? 0
  const name = named(collection?.name, id)
  return shrunk(
    { one: 'product', had: collection?.productIds.length, left },
    {
      some: (what) => `Take ${what} out of the collection ${name}?`,
      unknown: `Change which products are in the collection ${name}?`,
    },
  )
}

function replacedProducts(
  id: string,
  productIds: readonly string[],
  collection: Output<'get_collection'> | undefined,
): string | undefined {
  const next = new Set(productIds)
  return shrunkCollection(id, collection, (productId) => next.has(productId))
}

/** Compares the number: rewording is an ordinary edit. The library's suggestions are not the product's. */
const shrunkQuestions = (
  id: string,
  left: number,
  own: Output<'get_product_questions'> | undefined,
) =>
  shrunk(
    { one: 'question', had: own?.usesDefaults ? 0 : own?.questions.length, left },
    {
      some: (what) => `Remove ${what} of the product ${named(undefined, id)}?`,
      unknown: `Replace the questions of the product ${named(undefined, id)}?`,
    },
  )

/** A row that deletes a product, hides it, clears something of it or takes it out of a collection. */
const losesOf = ({ action, data = {} }: Input<'write_products'>['body']['rows'][number]) =>
  action === 'delete' ||
  data['status'] === 'DELETED' ||
  clears({ body: data }) ||
  data['removeTagIds'] !== undefined ||
  data['removeFromCollectionIds'] !== undefined

const changedProduct = (
  input: Input<'patch_product' | 'update_product'>,
  current: Output<'get_product'> | undefined,
) => {
  const of = `the product ${named(current?.name, input.path.id)}`
  return together(hidden(input, current), cleared(input.body, current, of))
}

const changedCollection = (
  id: string,
  values: object,
  current: Output<'get_collection'> | undefined,
) => cleared(values, current, `the collection ${named(current?.name, id)}`)

const closed = {
  CLOSED: 'Close the shop to all visitors?',
  SIGN_IN: 'Close the shop to visitors who have not signed in?',
} as const

/**
 * The calls that may lose what an owner cannot simply set back. A person is asked about
 * 1. deletions, status DELETED and dismissed questions among them, and the replaced content of an image;
 * 2. a collection, the questions or the synonyms of which fewer than half would be left, at once or by
 *    taking out the last product;
 * 3. a text, all pictures, all tags or all links of something that one call clears;
 * 4. a shop that is closed to visitors;
 * 5. a change set that is applied, with what it does in numbers, and the undo of one that created something.
 * Other edits are not asked about, status INACTIVE and single tags among them, because a question before
 * every write would be answered without being read. The consent page says the same in one sentence.
 */
const table = {
  delete_product: loss('delete_product', 'get_product', always, ({ path }, current) =>
    deletion('product', path.id, current?.name),
  ),
  delete_collection: loss('delete_collection', 'get_collection', always, ({ path }, current) =>
    deletion('collection', path.id, current?.name),
  ),
  delete_tag: loss('delete_tag', 'get_tag', always, ({ path }, current) =>
    deletion('tag', path.id, current?.name),
  ),
  delete_media: loss('delete_media', 'get_media', always, ({ path }, current) =>
    deletion('media', path.id, current?.fileName),
  ),
  replace_media: loss('replace_media', 'get_media', always, ({ path }, current) => {
    const uses = current ? `, which is used ${current.usageCount} times` : ''
    return `Replace the content of the image ${named(current?.fileName, path.id)}${uses}?`
  }),
  patch_product: loss(
    'patch_product',
    'get_product',
    (input) => input.body.status === 'DELETED' || clears(input),
    changedProduct,
  ),
  update_product: loss(
    'update_product',
    'get_product',
    (input) => input.body.status === 'DELETED' || clears(input),
    changedProduct,
  ),
  write_products: loss(
    'write_products',
    'list_workspaces',
    ({ body }) => body.rows.some(losesOf),
    ({ body }) => {
      const rows = body.rows.filter(losesOf)
      const products = rows.length === 1 ? 'one product' : `${rows.length} products`
      return `Delete, hide or clear texts, pictures, tags, links or collections of ${products} in one batch?`
    },
  ),
  apply_change_set: loss('apply_change_set', 'get_change_set', always, ({ path }, set) => {
    const { creates, updates, deletes } = set?.counts ?? {}
    const what = set ? `create ${creates}, change ${updates} and delete ${deletes} products` : ''
    return `Apply the change set ${named(set?.title || undefined, path.id)}${what && `: ${what}`}?`
  }),
  undo_change_set: loss('undo_change_set', 'get_change_set', always, ({ path }, set) => {
    if (set?.counts.creates === 0) return undefined
    return `Undo the change set ${named(set?.title || undefined, path.id)}? What it created is deleted.`
  }),
  patch_collection: loss(
    'patch_collection',
    'get_collection',
    (input) => input.body.productIds !== undefined || clears(input),
    ({ path, body: { productIds, ...values } }, current) =>
      together(
        productIds && replacedProducts(path.id, productIds, current),
        changedCollection(path.id, values, current),
      ),
  ),
  update_collection: loss(
    'update_collection',
    'get_collection',
    clears,
    ({ path, body }, current) => changedCollection(path.id, body, current),
  ),
  set_collection_products: loss(
    'set_collection_products',
    'get_collection',
    always,
    ({ path, body }, current) => replacedProducts(path.id, body.productIds, current),
  ),
  remove_collection_product: loss(
    'remove_collection_product',
    'get_collection',
    always,
    ({ path }, current) => {
      const isIn = current?.productIds.includes(path.productId) ?? true
      const isLast = current === undefined || current.productIds.length === 1
      return isIn && isLast ? shrunkCollection(path.id, current, () => false) : undefined
    },
  ),
  update_product_questions: loss(
    'update_product_questions',
    'get_product_questions',
    always,
    ({ path, body }, current) => shrunkQuestions(path.id, body.questions.length, current),
  ),
  reset_product_questions: loss(
    'reset_product_questions',
    'get_product_questions',
    always,
    ({ path }, current) => shrunkQuestions(path.id, 0, current),
  ),
  dismiss_question: {
    ...loss('dismiss_question', 'list_unanswered_questions', always, ({ path }, current) => {
      const text = current?.questions.find(({ id }) => id === path.id)?.text
      return `Delete the visitor’s question ${named(text, path.id)} without a reply?`
    }),
    readsWith: { query: { pageSize: 100 } },
  },
  update_question_library: loss(
    'update_question_library',
    'get_question_library',
    always,
    ({ body }, current) =>
      shrunk(
        { one: 'question', had: current?.questions.length, left: body.questions.length },
        {
          some: (what) => `Remove ${what} of the library?`,
          unknown: 'Replace the questions of the library?',
        },
      ),
  ),
  update_shop_knowledge: loss(
    'update_shop_knowledge',
    'get_shop_knowledge',
    always,
    ({ body }, current) =>
      shrunk(
        { one: 'answer of the shop', had: current?.entries.length, left: body.entries.length },
        { some: (what) => `Remove ${what}?`, unknown: 'Replace the answers of the shop?' },
      ),
  ),
  update_synonyms: loss('update_synonyms', 'get_synonyms', always, ({ body }, current) =>
    shrunk(
      { one: 'group of synonyms', had: current?.groups.length, left: body.groups.length },
      {
        some: (what) => `Remove ${what}?`,
        unknown: 'Replace the groups of synonyms?',
      },
    ),
  ),
  update_website: loss(
    'update_website',
    'get_website',
    (input) => (input.body.accessPolicy?.visibility ?? 'PUBLIC') !== 'PUBLIC' || clears(input),
    ({ body }, current) => {
      const visibility = body.accessPolicy?.visibility ?? 'PUBLIC'
      const isSame = visibility === 'PUBLIC' || current?.accessPolicy.visibility === visibility
      return together(
        isSame ? undefined : closed[visibility],
        cleared(body, current, 'the website'),
      )
    },
  ),
  update_workspace: loss(
    'update_workspace',
    'get_workspace',
    (input) => input.body.isVisible === false || clears(input),
    ({ body }, current) => {
      const closes = body.isVisible === false && current?.isVisible !== false
      return together(closes ? closed.CLOSED : undefined, cleared(body, current, 'the workspace'))
    },
  ),
} satisfies Partial<Record<OperationId, Loss>>

export const losses: ReadonlyMap<OperationId, Loss> = new Map(
  Object.entries(table) as [OperationId, Loss][],
)
