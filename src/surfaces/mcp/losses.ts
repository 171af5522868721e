import type { Input, OperationId, Output } from '../../operation.ts'

/** A call that may lose something. New operations that can do so add a row to the table below. */
export interface Loss {
  /** The tool that reads what is there now. */
  reads: OperationId
  /** Whether the call may lose something, by its validated input alone. */
  mayLose: (input: unknown) => boolean
  /**
   * What a person is asked; undefined if nothing would be lost after all. Without the current
   * representation, which the connection may not read, it asks by id.
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

/** Asked as well where it is not known how many there are. */
const emptied = (count: number | undefined, words: (what: string) => string) =>
  count === 0 ? undefined : words(count === undefined ? 'everything' : `all ${count}`)

const emptiedCollection = (id: string, collection: Output<'get_collection'> | undefined) =>
  emptied(
    collection?.productIds.length,
    (what) => `Take ${what} out of the collection ${named(collection?.name, id)}?`,
  )

/** A product that is hidden already stays as it is. */
function hidden(id: string, product: Output<'get_product'> | undefined): string | undefined {
  if (product?.status === 'DELETED') return undefined
  return `Set the product ${named(product?.name, id)} to DELETED? Visitors no longer see it.`
}

const closed = {
  CLOSED: 'Close the shop to all visitors?',
  SIGN_IN: 'Close the shop to visitors who have not signed in?',
} as const

/**
 * The calls that may lose something for good or take it from visitors' sight, in whole: deletions, an
 * image's content, emptied collections and lists, hidden products, a closed shop. Ordinary edits are
 * not among them, because a question before every write would be answered without being read.
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
    ({ body }) => body.status === 'DELETED',
    ({ path }, current) => hidden(path.id, current),
  ),
  update_product: loss(
    'update_product',
    'get_product',
    ({ body }) => body.status === 'DELETED',
    ({ path }, current) => hidden(path.id, current),
  ),
  patch_collection: loss(
    'patch_collection',
    'get_collection',
    ({ body }) => body.productIds?.length === 0,
    ({ path }, current) => emptiedCollection(path.id, current),
  ),
  set_collection_products: loss(
    'set_collection_products',
    'get_collection',
    ({ body }) => body.productIds.length === 0,
    ({ path }, current) => emptiedCollection(path.id, current),
  ),
  update_product_questions: loss(
    'update_product_questions',
    'get_product_questions',
    ({ body }) => body.questions.length === 0,
    ({ path }, current) =>
      emptied(
        current?.questions.length,
        (what) => `Remove ${what} of the questions of the product ${named(undefined, path.id)}?`,
      ),
  ),
  reset_product_questions: loss(
    'reset_product_questions',
    'get_product_questions',
    always,
    ({ path }, current) =>
      emptied(
        current?.usesDefaults ? 0 : current?.questions.length,
        (what) => `Remove ${what} of the questions of the product ${named(undefined, path.id)}?`,
      ),
  ),
  update_question_library: loss(
    'update_question_library',
    'get_question_library',
    ({ body }) => body.questions.length === 0,
    (_input, current) =>
      emptied(current?.questions.length, (what) => `Remove ${what} of the question library?`),
  ),
  update_synonyms: loss(
    'update_synonyms',
    'get_synonyms',
    ({ body }) => body.groups.length === 0,
    (_input, current) =>
      emptied(current?.groups.length, (what) => `Remove ${what} of the groups of synonyms?`),
  ),
  update_website: loss(
    'update_website',
    'get_website',
    ({ body }) => (body.accessPolicy?.visibility ?? 'PUBLIC') !== 'PUBLIC',
    ({ body }, current) => {
      const visibility = body.accessPolicy?.visibility
      if (!visibility || visibility === 'PUBLIC') return undefined
      return current?.accessPolicy.visibility === visibility ? undefined : closed[visibility]
    },
  ),
  update_workspace: loss(
    'update_workspace',
    'get_workspace',
    ({ body }) => body.isVisible === false,
    (_input, current) => (current?.isVisible === false ? undefined : closed.CLOSED),
  ),
} satisfies Partial<Record<OperationId, Loss>>

export const losses: ReadonlyMap<OperationId, Loss> = new Map(
  Object.entries(table) as [OperationId, Loss][],
)
