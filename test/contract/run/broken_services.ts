import { limits } from '../../../src/generated/limits.ts'
import { bodyOf, jsonIn, type Meddling, type Passing } from '../../kit/peers/relay.ts'

const isProduct = /\/products\/prod_\w+$/

const isRead = ({ method, path }: Passing, status: number) =>
  method === 'GET' && /\/tags\/tag_\w+$/.test(path) && status === 200

/** Changes what a JSON answer says. */
const saying = (
  fits: (call: Passing, status: number) => boolean,
  change: (json: Record<string, unknown>) => unknown,
): Meddling => ({
  after: (answer, call) =>
    fits(call, answer.status) ? { ...answer, body: bodyOf(change(jsonIn(answer) ?? {})) } : answer,
})

/** Lets calls pass with another credential. */
const passingAs = (key: string, fits: (call: Passing) => boolean): Meddling => ({
  before: (call) => {
    if (fits(call)) call.headers['authorization'] = `Bearer ${key}`
    return undefined
  },
})

export interface Target {
  workspaceId: string
  key: string
  limitedKey: string
  foreignWorkspaceId: string
  /** Of the account that the foreign workspace belongs to. */
  foreignKey: string
}

interface BrokenService {
  /** The tag of the operations that are enough to notice it. */
  tag: string
  /** How what is said about it begins. */
  says: string
  of: (target: Target) => Meddling
}

const tooLong = limits.TagWrite.name.maxLength + 1

export const brokenServices: Record<string, BrokenService> = {
  'answers with another status': {
    tag: 'tags',
    says: 'delete_tag: answers 202, which it does not declare',
    of: () => ({
      after: (answer, { method, path }) =>
        method === 'DELETE' && /\/tags\/tag_\w+$/.test(path) && answer.status === 200
          ? { ...answer, status: 202 }
          : answer,
    }),
  },
  'answers a field that is not declared': {
    tag: 'tags',
    says: 'get_tag: 200 is not as declared:  must NOT have additional properties',
    of: () => saying(isRead, (json) => ({ ...json, margin: 3 })),
  },
  'leaves out a field': {
    tag: 'tags',
    says: "get_tag: 200 is not as declared:  must have required property 'name'",
    of: () => saying(isRead, (json) => ({ ...json, name: undefined })),
  },
  'answers a number in place of a text': {
    tag: 'tags',
    says: 'get_tag: 200 is not as declared: /name must be string',
    of: () => saying(isRead, (json) => ({ ...json, name: 3 })),
  },
  'does not check scopes': {
    tag: 'tags',
    says: 'list_tags: answers 200  to a key without its scope',
    of: ({ key, limitedKey }) =>
      passingAs(key, ({ headers }) => headers['authorization'] === `Bearer ${limitedKey}`),
  },
  'takes one character too many': {
    tag: 'tags',
    says: `create_tag: answers 200 to name of ${tooLong}, past its limit`,
    of: () => ({
      before: (call) => {
        const { name } = jsonIn(call) ?? {}
        if (typeof name === 'string' && name.length === tooLong)
          call.body = bodyOf({ name: name.slice(1) })
        return undefined
      },
    }),
  },
  'forgets a header': {
    tag: 'tags',
    says: 'get_tag: 200 has no header X-Request-Id',
    of: () => ({
      after: (answer, call) => {
        if (!isRead(call, answer.status)) return answer
        const headers = new Headers(answer.headers)
        headers.delete('x-request-id')
        return { ...answer, headers }
      },
    }),
  },
  'refuses with another code': {
    tag: 'tags',
    says: 'get_tag: 404 has the code duplicate, which is not listed',
    of: () =>
      saying(
        ({ path }, status) => status === 404 && path.includes('/tags/'),
        (json) => ({ ...json, code: 'duplicate' }),
      ),
  },
  'shows another workspace': {
    tag: 'tags',
    says: 'list_tags: answers 200  to another workspace',
    of: ({ foreignWorkspaceId, foreignKey }) =>
      passingAs(
        foreignKey,
        ({ method, path }) => method === 'GET' && path.includes(foreignWorkspaceId),
      ),
  },
  'answers a write without storing it': {
    tag: 'products',
    says: 'patch_product: was answered, but stock of the product is another',
    of: () => ({
      before: async (call, pass) => {
        const change = jsonIn(call)
        if (call.method !== 'PATCH' || !isProduct.test(call.path)) return undefined
        if (Object.keys(change ?? {}).join() !== 'stock') return undefined
        const { authorization = '' } = call.headers
        const read = { ...call, method: 'GET', headers: { authorization }, body: Buffer.alloc(0) }
        const answer = await pass(read)
        return { ...answer, body: bodyOf({ ...jsonIn(answer), ...change }) }
      },
    }),
  },
  'leaves a row out of its lists': {
    tag: 'products',
    says: 'list_products: shows 2 rows of 3 products',
    of: () =>
      saying(
        ({ method, path }, status) =>
          method === 'GET' && /\/products\?ids=.*page=2/.test(path) && status === 200,
        (json) => ({ ...json, products: (json['products'] as unknown[]).slice(1) }),
      ),
  },
}
