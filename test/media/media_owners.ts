import type { components } from '../../src/generated/types.ts'
import { productBody } from '../kit/catalogue.ts'
import type { TestService } from '../kit/service.ts'
import { image } from './pictures.ts'

export type Media = components['schemas']['Media']

/** A workspace, its key, and helpers for its media. */
export async function givenMediaOwner(service: TestService) {
  const person = await service.givenPerson()
  const workspace = await service.givenWorkspace(person)
  const { key } = await service.givenKey(person)
  const api = service.api(key)
  const root = `/v1/workspaces/${workspace.id}`
  const path = `${root}/media`
  const bodyOf = (bytes: Buffer, changes: object = {}) => ({
    fileName: 'rose.png',
    mimeType: 'image/png',
    base64: bytes.toString('base64'),
    ...changes,
  })
  const upload = (bytes: Buffer, changes?: object) => api.post(path).send(bodyOf(bytes, changes))
  const givenMedia = async (fileName = 'rose.png'): Promise<Media> =>
    (await upload(await image(), { fileName })).body
  const replace = (id: string, bytes: Buffer, changes?: object) =>
    api.put(`${path}/${id}`).send(bodyOf(bytes, changes))
  return { workspace, key, api, root, path, upload, givenMedia, replace }
}

/** The bytes at a medium's URL, fetched from the origin that serves them. */
export async function fetchMedia(service: TestService, { url }: Media, init: RequestInit = {}) {
  const response = await fetch(service.urls.api + new URL(url).pathname, init)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** A product that shows these images. */
export function product(imageIds: string[]) {
  return productBody({ imageIds })
}
