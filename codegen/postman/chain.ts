import { isNode, type Node } from '../document.ts'

/** An operation of the public document. */
export interface ChainedCall {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly source: Node
}

/** Paths whose last word names another resource than people say. */
const nouns: Readonly<Record<string, string>> = {
  unanswered: 'question',
  replies: 'reply',
  deliveries: 'delivery',
  media: 'media',
}

/** The variable of what a path parameter stands for: `products/{id}` is `productId`. */
export function variableOf(segment: string, parameter: string, id = ''): string {
  if (parameter !== 'id') return parameter
  if (id === 'dismiss_question') return 'otherQuestionId'
  const noun = nouns[segment] ?? segment.replace(/s$/, '')
  return `${noun.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())}Id`
}

/** Values of answers that later calls send, by operation: variable and the expression that reads it. */
const kept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  create_product: { productSlug: 'answer.slug' },
  create_collection: { collectionSlug: 'answer.slug' },
  get_bootstrap: { guestToken: 'answer.guestToken', siteKey: 'answer.challengeSiteKey' },
  verify_customer_code: { visitorToken: 'answer.token' },
  chat_about_product: { threadId: 'answer.threadId' },
  list_unanswered_questions: {
    questionId: 'answer.questions[0].id',
    // Answered ones leave the list, and one is for dismiss_question.
    otherQuestionId: 'answer.questions[1]?.id',
  },
  list_question_replies: { replyId: 'answer.replies[0].id' },
  list_webhook_deliveries: { deliveryId: 'answer.deliveries[0].id' },
  upload_change_set_file: { uploadId: 'answer.uploadId' },
  create_media_upload: { token: "answer.url.split('/').pop()" },
}

/** What an operation's answer puts into variables. */
export function keptBy({ id, source, path }: ChainedCall): Record<string, string> {
  const responses = isNode(source.responses) ? source.responses : {}
  const creates = Object.values(responses).some((each) => isNode(each) && isNode(each.links))
  const segment = path.split('/').at(-1) ?? ''
  // A workspace is kept as such; of media, the import names no other resource than the upload.
  const name = id === 'create_workspace' ? 'workspaceId' : variableOf(segment, 'id')
  const own = creates && !path.endsWith('/import') ? { [name]: 'answer.id' } : {}
  return { ...own, ...kept[id] }
}

/** Fields of bodies and queries that name a resource, and the variable to send there. */
const fields: Readonly<Record<string, string>> = {
  tagId: '{{tagId}}',
  productId: '{{productId}}',
  collectionId: '{{collectionId}}',
  siteKey: '{{siteKey}}',
  code: '{{customerCode}}',
}

/** Fields that must differ from those of an earlier run. */
const unique = new Set(['name', 'sku', 'barcode', 'subDomain'])

/** Names in capitals are the contract's own, and host names are those of one workspace. */
const isFixed = (value: string) => /^([A-Z_]+|[a-z0-9-]+(\.[a-z0-9-]+)+)$/.test(value)

/** An example as a run can send it: with the ids of this run, and names that no other run has. */
export function chained(example: unknown, isCreate: boolean): unknown {
  if (Array.isArray(example)) return example.map((item) => chained(item, isCreate))
  if (!isNode(example)) return example
  const entries = Object.entries(example).map(([name, value]): [string, unknown] => {
    if (fields[name] !== undefined) return [name, fields[name]]
    if (isCreate && unique.has(name) && typeof value === 'string' && !isFixed(value))
      return [name, `${value}${name === 'subDomain' ? '-' : ' '}{{run}}`]
    return [name, chained(value, isCreate)]
  })
  return Object.fromEntries(entries)
}

const variablesIn = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)

/** What is asked for only after another call, though it sends nothing of its answer. */
const after: Readonly<Record<string, string>> = { list_unanswered_questions: 'chat_about_product' }

/** Calls that need a resource of their own, and the operation that makes it. */
export const ownMaker: Readonly<Record<string, string>> = { cancel_change_set: 'create_change_set' }

/**
 * The order of a run: what makes a variable comes before what sends it, and removals come last, those
 * of parts before those of wholes.
 */
export function inOrder<Item extends { call: ChainedCall; text: string }>(
  items: readonly Item[],
): Item[] {
  const makers = new Map<string, Item>()
  for (const item of items)
    for (const name of Object.keys(keptBy(item.call))) if (!makers.has(name)) makers.set(name, item)
  const isRemoval = ({ call }: Item) => call.method === 'delete' || call.id === 'log_out_customer'
  const done = new Set<Item>()
  const visit = (item: Item) => {
    if (done.has(item)) return
    done.add(item)
    for (const name of variablesIn(item.text)) {
      const maker = makers.get(name)
      if (maker) visit(maker)
    }
    const earlier = items.find(({ call }) => call.id === after[item.call.id])
    if (earlier) visit(earlier)
    order.push(item)
  }
  const order: Item[] = []
  for (const item of items.filter((each) => !isRemoval(each))) visit(item)
  const depth = ({ call }: Item) => call.path.split('/').length
  const removals = items.filter(isRemoval).sort((a, b) => depth(b) - depth(a))
  return [...order, ...removals]
}
