import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import { mediaKeyOf } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media, product } from './media_owners.ts'
import { image } from './pictures.ts'

let service: TestService
let store: MediaStore
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = join(service.config.dataDir, 'media')
  store = diskMediaStore(folder)
})
afterAll(() => service.close())

const givenOwner = () => givenMediaOwner(service)
const fetchBytes = (media: Media, init?: RequestInit) => fetchMedia(service, media, init)

const fileOf = ({ key }: Media) => join(folder, key)

describe('list_media', () => {
  test('pages newest first, without gaps or duplicates', async () => {
    const { api, path, givenMedia } = await givenOwner()
    const ids: string[] = []
    for (let index = 0; index < 7; index++) {
      if (index === 3) service.advance(1000)
      ids.unshift((await givenMedia()).id)
    }
    const seen: string[] = []
    for (const page of [1, 2, 3, 4]) {
      const { body } = await api.get(`${path}?page=${page}&pageSize=2`)
      seen.push(...(body.media as Media[]).map(({ id }) => id))
      expect(body.pagination).toEqual({
        page,
        limit: 2,
        total: 7,
        totalPages: 4,
        hasNextPage: page < 4,
        hasPreviousPage: page > 1,
      })
    }
    expect(seen).toEqual(ids)
    const { status, body } = await api.get(`${path}?page=5&pageSize=2`)
    expect([status, body.media, body.pagination.total]).toEqual([200, [], 7])
  })

  test('searches names in any case and script, with % and _ literal', async () => {
    const { api, path, givenMedia } = await givenOwner()
    const names = ['Gül Suyu.png', '100%_pure.png', 'ΡΟΔΟ.png', '商品写真.png']
    for (const name of names) await givenMedia(name)
    const namesFor = async (search: string) => {
      const { body } = await api.get(`${path}?search=${encodeURIComponent(search)}`)
      const media = body.media as Media[]
      expect(body.pagination.total).toBe(media.length)
      expect(body.summary.total).toBe(4)
      return media.map(({ fileName }) => fileName)
    }
    expect(await namesFor('gÜL')).toEqual(['Gül Suyu.png'])
    expect(await namesFor('%_p')).toEqual(['100%_pure.png'])
    expect(await namesFor('ροδο')).toEqual(['ΡΟΔΟ.png'])
    expect(await namesFor('写真')).toEqual(['商品写真.png'])
    expect(await namesFor('.PNG')).toEqual(names.toReversed())
    expect(await namesFor('%')).toEqual(['100%_pure.png'])
    expect(await namesFor('nothing')).toEqual([])
  })

  test('filters by use, and counts uses in products, collections and the logo', async () => {
    const { api, path, root, givenMedia } = await givenOwner()
    const [unused, once, thrice] = [await givenMedia(), await givenMedia(), await givenMedia()]
    await api
      .post(`${root}/products`)
      .send(product([once.id, thrice.id]))
      .expect(200)
    await api.post(`${root}/collections`).send({ name: 'Roses', imageId: thrice.id }).expect(200)
    await api.put(`${root}/website`).send({ logoImageId: thrice.id }).expect(200)
    const summary = { total: 3, unused: 1, linked: 2, multiLinked: 1 }
    const expected: [string, [string, number][]][] = [
      ['UNUSED', [[unused.id, 0]]],
      [
        'LINKED',
        [
          [thrice.id, 3],
          [once.id, 1],
        ],
      ],
      ['MULTI_LINKED', [[thrice.id, 3]]],
    ]
    for (const [usage, uses] of expected) {
      const { body } = await api.get(`${path}?usage=${usage}`)
      const media = body.media as Media[]
      expect(media.map(({ id, usageCount }) => [id, usageCount])).toEqual(uses)
      expect(body.pagination.total).toBe(uses.length)
      expect(body.summary).toEqual(summary)
      const searched = await api.get(`${path}?usage=${usage}&search=ROSE`)
      expect(searched.body.media).toEqual(body.media)
      expect(searched.body.pagination).toEqual(body.pagination)
    }
  })
})

describe('get_media', () => {
  test('does not find media of another workspace', async () => {
    const [mine, other] = [await givenOwner(), await givenOwner()]
    const { id } = await mine.givenMedia()
    expect((await mine.api.get(`${mine.path}/${id}`)).status).toBe(200)
    for (const call of [
      other.api.get(`${other.path}/${id}`),
      other.api.delete(`${other.path}/${id}`),
      other.replace(id, await image()),
    ])
      expect((await call).status).toBe(404)
  })
})

/** The key that is shown for a file of the store. */
function shownKey(key: string): string {
  const [workspaceId = '', hash = '', extension = ''] = key.split(/[/.]/)
  return mediaKeyOf(workspaceId, hash, extension)
}

describe('replace_media', () => {
  test('keeps id, age and uses, and changes everything else', async () => {
    const { api, root, givenMedia, replace } = await givenOwner()
    const before = await givenMedia()
    const created = await api.post(`${root}/products`).send(product([before.id]))
    service.advance(5000)
    const bytes = await image('gif')
    const changes = { fileName: 'loop.gif', mimeType: 'image/gif' }
    const { status, body } = await replace(before.id, bytes, changes)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...changes,
      size: bytes.length,
      usageCount: 1,
      key: expect.stringMatching(/\.gif$/),
      url: `${service.config.baseUrl}/media/${body.key}`,
    })
    expect((await fetchBytes(body)).bytes.equals(bytes)).toBe(true)
    const after = await api.get(`${root}/products/${created.body.id}`)
    expect(after.body.images).toEqual([body])
  })

  test('keeps the file if the content is the same', async () => {
    const { upload, replace } = await givenOwner()
    const bytes = await image()
    const { body: before } = await upload(bytes)
    const { body } = await replace(before.id, bytes, { fileName: 'other.png' })
    expect(body).toEqual({ ...before, fileName: 'other.png' })
    expect((await fetchBytes(body)).bytes.equals(bytes)).toBe(true)
  })

  test('is refused if the image has changed since it was read', async () => {
    const { api, path, givenMedia, replace } = await givenOwner()
    const { id } = await givenMedia()
    const { etag = '' } = (await api.get(`${path}/${id}`)).headers
    expect((await replace(id, await image()).set('If-Match', etag)).status).toBe(200)
    const { status, body } = await replace(id, await image()).set('If-Match', etag)
    expect([status, body.code]).toEqual([409, 'write_conflict'])
  })

  test('by two concurrent callers leaves one content, and keeps the others', async () => {
    const { api, path, workspace, givenMedia, replace } = await givenOwner()
    const { id, key } = await givenMedia()
    const [one, other] = [await image(), await image()]
    const answers = await Promise.all([replace(id, one), replace(id, other)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await api.get(`${path}/${id}`)
    const replaced = [key, ...answers.map((answer) => answer.body.key as string)]
    expect(replaced).toContain(body.key)
    const files: string[] = []
    for await (const { key } of store.list()) if (key.startsWith(workspace.id)) files.push(key)
    expect(files.map(shownKey).sort()).toEqual(replaced.sort())
  })
})

describe('delete_media', () => {
  test('removes the image, its bytes and every reference to it', async () => {
    const { api, path, root, givenMedia } = await givenOwner()
    const [deleted, other] = [await givenMedia(), await givenMedia()]
    const { body: item } = await api.post(`${root}/products`).send(product([deleted.id, other.id]))
    const { body: collection } = await api
      .post(`${root}/collections`)
      .send({ name: 'Roses', imageId: deleted.id })
    await api.put(`${root}/website`).send({ logoImageId: deleted.id }).expect(200)

    const { status, body } = await api.delete(`${path}/${deleted.id}`)
    expect([status, body]).toEqual([200, { id: deleted.id, deleted: true }])
    expect((await api.get(`${path}/${deleted.id}`)).status).toBe(404)
    expect((await fetchBytes(deleted)).response.status).toBe(404)
    expect(existsSync(fileOf(deleted))).toBe(false)
    const images = (await api.get(`${root}/products/${item.id}`)).body.images as Media[]
    expect(images.map(({ id }) => id)).toEqual([other.id])
    const after = (await api.get(`${root}/collections/${collection.id}`)).body
    expect([after.imageId, after.image]).toEqual([null, null])
    expect((await api.get(`${root}/website`)).body.logoImageId).toBeNull()
    expect((await api.get(path)).body.summary).toEqual({
      total: 1,
      unused: 0,
      linked: 1,
      multiLinked: 0,
    })
  })

  test('keeps the bytes while another image has the same content', async () => {
    const { api, path, upload } = await givenOwner()
    const bytes = await image()
    const [first, second] = [(await upload(bytes)).body, (await upload(bytes)).body]
    await api.delete(`${path}/${first.id}`).expect(200)
    expect((await fetchBytes(second)).bytes.equals(bytes)).toBe(true)
    await api.delete(`${path}/${second.id}`).expect(200)
    expect((await fetchBytes(second)).response.status).toBe(404)
  })

  test('can run concurrently with writes of products and collections that show the image', async () => {
    const { api, path, root, givenMedia } = await givenOwner()
    for (let round = 0; round < 12; round++) {
      const { id } = await givenMedia()
      const { body: item } = await api.post(`${root}/products`).send(product([id]))
      const fields = { description: '', tagIds: [], imageId: id }
      const create = () => api.post(`${root}/collections`).send({ ...fields, name: 'Roses' })
      const [changed, deleted] = [(await create()).body, (await create()).body]
      const answers = await Promise.all([
        api
          .put(`${root}/collections/${changed.id}`)
          .send({ ...fields, name: 'Lilies', imageId: null }),
        api.delete(`${path}/${id}`),
        api.delete(`${root}/collections/${deleted.id}`),
        api.delete(`${root}/products/${item.id}`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    expect((await api.get(path)).body.summary).toEqual({
      total: 0,
      unused: 0,
      linked: 0,
      multiLinked: 0,
    })
  })

  test('is 404 the second time', async () => {
    const { api, path, givenMedia } = await givenOwner()
    const { id } = await givenMedia()
    expect((await api.delete(`${path}/${id}`)).status).toBe(200)
    expect((await api.delete(`${path}/${id}`)).status).toBe(404)
  })
})
