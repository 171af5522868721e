/*
 * What integrators write with seven generators, each as its documentation shows: no serializer of ours, no
 * casts but where a generator itself has no type for a file.
 */

const head = `
export async function use(
  url: string, key: string, workspaceId: string, picture: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  const headers = { Authorization: 'Bearer ' + key }
  const files = [new File([picture], 'dot.png', { type: 'image/png' })]
  const status: ('ACTIVE' | 'DELETED')[] = ['ACTIVE', 'DELETED']
  void [headers, files]`

const product = (sku: string) => `
  const fields = {
    name: 'Rose balm', brand: 'Ana', sku: '${sku}', barcode: '${sku}', stock: 3, information: 'Rose oil.',
  }
  const draft = { ...fields, status: 'INACTIVE' as const }
  const whole = {
    ...fields, stock: 4, status: 'ACTIVE' as const, description: '', imageIds: [], tagIds: [], sales: [],
  }`

const result = `
  return [
    read.slug, String(updated.stock), listed.products.map(({ name }) => name).join(),
    stored.media.map(({ fileName }) => fileName).join(), String(removed.deleted),
  ]
}
`

/** Each deletes its product again, so that the next finds the name free. */
export const programs = {
  hey_api: `
import { client } from './client/client.gen'
import * as sdk from './client/sdk.gen'
${head}
  ${product('H-1')}
  client.setConfig({ baseUrl: url, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) })
  const all = { path: { workspaceId }, throwOnError: true as const }
  const created = await sdk.createProduct({ ...all, body: draft })
  const one = { path: { workspaceId, id: created.data.id }, throwOnError: true as const }
  const { data: read } = await sdk.getProduct(one)
  const { data: updated } = await sdk.updateProduct({ ...one, body: whole })
  const { data: listed } = await sdk.listProducts({ ...all, query: { status } })
  const { data: stored } = await sdk.uploadMediaFiles({ ...all, body: { files } })
  const { data: removed } = await sdk.deleteProduct(one)
  // A chat has a stream beside its JSON: a client must still ask for the JSON and read it.
  const asked = { message: 'Hello', productId: 'prod_unknown', thinkingLevel: 'LOW' as const }
  const chat = await sdk.chatAboutProduct({ path: { workspaceId }, body: asked })
  if ((chat.data?.response ?? chat.error?.code) !== 'visitor_required') throw new Error('No refusal.')
${result}`,

  openapi_fetch: `
import createClient from 'openapi-fetch'
import type { paths } from './client'
${head}
  ${product('F-1')}
  const client = createClient<paths>({ baseUrl: url, headers })
  const all = { path: { workspaceId } }
  const { data: created } = await client.POST('/v1/workspaces/{workspaceId}/products', { params: all, body: draft })
  const params = { path: { workspaceId, id: created!.id } }
  const place = '/v1/workspaces/{workspaceId}/products/{id}'
  const read = (await client.GET(place, { params })).data!
  const updated = (await client.PUT(place, { params, body: whole })).data!
  const listed = (await client.GET('/v1/workspaces/{workspaceId}/products', {
    params: { ...all, query: { status } },
  })).data!
  const stored = (await client.POST('/v1/workspaces/{workspaceId}/media/upload', {
    params: all,
    body: { files: [] },
    bodySerializer: () => {
      const form = new FormData()
      for (const file of files) form.append('files', file)
      return form
    },
  })).data!
  const removed = (await client.DELETE(place, { params })).data!
${result}`,

  orval: `
import * as api from './client'
${head}
  ${product('O-1')}
  const send = globalThis.fetch
  globalThis.fetch = (path, init) => send(url + String(path), init)
  try {
    const options = { headers }
    const created = await api.createProduct(workspaceId, draft, options)
    const { id } = created.data as { id: string }
    const read = (await api.getProduct(workspaceId, id, options)).data as { slug: string }
    const updated = (await api.updateProduct(workspaceId, id, whole, options)).data as { stock: number }
    const listed = (await api.listProducts(workspaceId, { status }, options)).data as { products: { name: string }[] }
    const stored = (await api.uploadMediaFiles(workspaceId, { files }, options)).data as { media: { fileName: string }[] }
    const removed = (await api.deleteProduct(workspaceId, id, options)).data as { deleted: boolean }
${result.replace('\n}\n', '\n  } finally {\n    globalThis.fetch = send\n  }\n}\n')}`,

  // Its own form of a list of files is a text: it takes a form of the integrator's instead.
  swagger_typescript_api: `
import { Api, ProductStatus } from './client'
${head}
  ${product('S-1')}
  const { ACTIVE, INACTIVE, DELETED } = ProductStatus
  const { v1 } = new Api({ baseUrl: url, baseApiParams: { headers } })
  const { data: created } = await v1.createProduct(workspaceId, { ...draft, status: INACTIVE })
  const { id } = created
  const { data: read } = await v1.getProduct(workspaceId, id)
  const { data: updated } = await v1.updateProduct(workspaceId, id, { ...whole, status: ACTIVE })
  const { data: listed } = await v1.listProducts(workspaceId, { status: [ACTIVE, DELETED] })
  const form = new FormData()
  for (const file of files) form.append('files', file)
  const { data: stored } = await v1.uploadMediaFiles(workspaceId, form as unknown as { files: File[] })
  const { data: removed } = await v1.deleteProduct(workspaceId, id)
${result}`,

  oazapfts: `
import * as api from './client'
${head}
  ${product('A-1')}
  const options = { baseUrl: url, headers }
  const created = await api.createProduct(workspaceId, draft, {}, options)
  if (created.status !== 200) throw new Error(created.data.code)
  const { id } = created.data
  const ok = <T,>(answer: { status: number; data?: unknown }) => answer.data as T
  const read = ok<{ slug: string }>(await api.getProduct(workspaceId, id, {}, options))
  const updated = ok<{ stock: number }>(await api.updateProduct(workspaceId, id, whole, {}, options))
  const listed = ok<{ products: { name: string }[] }>(await api.listProducts(workspaceId, { status }, options))
  const stored = ok<{ media: { fileName: string }[] }>(await api.uploadMediaFiles(workspaceId, { files }, {}, options))
  const removed = ok<{ deleted: boolean }>(await api.deleteProduct(workspaceId, id, {}, options))
${result}`,

  kubb: `
import * as api from './client'
${head}
  ${product('K-1')}
  const options = { baseURL: url, headers: { ...headers, 'Content-Type': 'application/json' } }
  const created = await api.createProduct(workspaceId, draft, undefined, options)
  const id = created.id
  const read = await api.getProduct(workspaceId, id, undefined, { baseURL: url, headers })
  const updated = await api.updateProduct(workspaceId, id, whole, undefined, options)
  const listed = await api.listProducts(workspaceId, { status }, undefined, { baseURL: url, headers })
  const stored = await api.uploadMediaFiles(workspaceId, { files }, undefined, { baseURL: url, headers })
  const removed = await api.deleteProduct(workspaceId, id, undefined, { baseURL: url, headers })
${result}`,

  // Zodios cannot send a list of files, so the image goes as JSON.
  zod_client: `
import { createApiClient } from './client'
${head}
  ${product('Z-1')}
  const api = createApiClient(url, { axiosConfig: { headers } })
  const all = { params: { workspaceId } }
  const { id } = await api.create_product(draft, all)
  const one = { params: { workspaceId, id } }
  const read = await api.get_product(one)
  const updated = await api.update_product(whole, one)
  const listed = await api.list_products({ ...all, queries: { status } })
  const base64 = btoa(String.fromCharCode(...picture))
  const image = await api.upload_media({ fileName: 'dot.png', mimeType: 'image/png', base64 }, all)
  const stored = { media: [image] }
  const removed = await api.delete_product(undefined, one)
${result}`,
}

export type ClientName = keyof typeof programs
