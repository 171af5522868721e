import { expect } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { type Person, type TestService, unique } from '../kit/service.ts'

type Schemas = components['schemas']
export type ChangeSet = Schemas['ChangeSet']
type Upload = Schemas['ChangeSetUpload']

/** A key's calls about many products in a workspace. */
export interface FileCalls {
  workspaceId: string
  at: (path: string) => string
  post: <T>(path: string, body?: object, status?: number) => Promise<T>
  get: <T>(path: string) => Promise<T>
  /** Uploads a file, whatever the answer. */
  send: (
    content: string | Buffer,
    format?: string,
  ) => ReturnType<ReturnType<TestService['api']>['post']>
  upload: (content: string | Buffer, format?: string) => Promise<Upload>
  /** The plan of a file, and its rows. */
  planned: (
    content: string,
    more?: object,
    format?: string,
  ) => Promise<{ set: ChangeSet; rows: Schemas['ChangeSetRow'][] }>
  products: () => Promise<Schemas['Product'][]>
  /** A product whose name, SKU and barcode are its own. */
  givenProduct: (values?: object) => Promise<Schemas['Product']>
  /** What a client sees of a product, and its entity tag. */
  seen: (id: string) => Promise<{ status: number; etag: string; body: unknown }>
  remove: (path: string) => Promise<void>
  /** Writes a batch. */
  write: (
    rows: Schemas['ProductRow'][],
    more?: object,
    status?: number,
  ) => Promise<Schemas['ProductBatchResult']>
  /** Takes a step of a change set. */
  step: (
    id: string,
    name: string,
    body?: object,
    status?: number,
  ) => Promise<ChangeSet & Schemas['ApiError']>
}

/** A product of its own. */
export function newValues() {
  const sku = unique('sku')
  return {
    name: `Name ${sku}`,
    brand: 'Ana',
    sku,
    barcode: `b-${sku}`,
    stock: 5,
    status: 'ACTIVE',
    information: 'Rose oil.',
    description: 'For dry skin.',
    sales: [{ name: 'Our shop', link: 'https://shop.example/x' }],
  }
}

export function fileCalls(service: TestService, key: string, workspaceId: string): FileCalls {
  const at = (path: string) => `/v1/workspaces/${workspaceId}/${path}`
  const calls: FileCalls = {
    workspaceId,
    at,
    async post<T>(path: string, body: object = {}, status = 200) {
      const answer = await service.api(key).post(at(path)).send(body)
      expect([answer.status, answer.body]).toEqual([status, answer.body])
      return answer.body as T
    },
    async get<T>(path: string) {
      return (await service.api(key).get(at(path)).expect(200)).body as T
    },
    send: (content, format = 'csv') =>
      service
        .api(key)
        .post(at('change-sets/upload'))
        .field('format', format)
        .attach('file', Buffer.from(content), `spring.${format}`),
    async upload(content, format) {
      return (await calls.send(content, format).expect(200)).body as Upload
    },
    async planned(content, more = {}, format) {
      const { uploadId } = await calls.upload(content, format)
      const set = await calls.post<ChangeSet>('change-sets', { uploadId, ...more })
      const path = `change-sets/${set.id}/rows?pageSize=100`
      const { rows } = await calls.get<{ rows: Schemas['ChangeSetRow'][] }>(path)
      return { set, rows }
    },
    async products() {
      return (await calls.get<{ products: Schemas['Product'][] }>('products')).products
    },
    givenProduct: (values = {}) => calls.post('products', { ...newValues(), ...values }),
    async seen(id) {
      const { status, headers, body } = await service.api(key).get(at(`products/${id}`))
      return { status, etag: headers['etag'] as string, body: body as unknown }
    },
    write: (rows, more = {}, status = 200) =>
      calls.post('products/batch', { rows, ...more }, status),
    remove: async (path) => void (await service.api(key).delete(at(path)).expect(200)),
    step: (id, name, body = {}, status = 200) =>
      calls.post(`change-sets/${id}/${name}`, body, status),
  }
  return calls
}

/** An owner of many workspaces, with a key. */
export async function givenImporter(
  service: TestService,
): Promise<{ owner: Person; key: string; inWorkspace: () => Promise<FileCalls> }> {
  const owner = await service.givenPerson({ workspaceLimit: 40 })
  const { key } = await service.givenKey(owner)
  const inWorkspace = async () => fileCalls(service, key, (await service.givenWorkspace(owner)).id)
  return { owner, key, inWorkspace }
}
