import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import { type MetadataHost, startMetadataHost } from '../kit/peers/metadata_host.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { image } from '../media/pictures.ts'
import { type ChangeSet, fileCalls, type FileCalls, givenImporter } from './file_calls.ts'

let host: MetadataHost
let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
beforeAll(async () => {
  host = await startMetadataHost(['images.example.com'])
  service = await startService({ publicDownload: createPublicDownload(host.fetchParts) })
  importer = await givenImporter(service)
})
beforeEach(async () => {
  shop = await importer.inWorkspace()
})
afterAll(async () => {
  await service.close()
  await host.close()
})

describe('what rows name', () => {
  const file =
    'sku,name,brand,barcode,tags,collections\nT-1,One,Ana,1,Night|NIGHT |Day,Evening\nT-2,Two,Ana,2,day,\n'

  test('is made when it is to be, and gone after the undo', async () => {
    const night = await shop.post<{ id: string }>('tags', { name: 'night' })
    const { set } = await shop.planned(file, { make: { tags: true, collections: true } })
    expect(set.counts).toMatchObject({ creates: 2, errors: 0 })
    const named = async (kind: 'tags' | 'collections') =>
      ((await shop.get<Record<string, { name: string }[]>>(kind))[kind] ?? []).map(
        ({ name }) => name,
      )
    expect([await named('tags'), await named('collections')]).toEqual([['night'], []])
    await shop.post(`change-sets/${set.id}/apply`)
    expect([await named('tags'), await named('collections')]).toEqual([
      ['Day', 'night'],
      ['Evening'],
    ])
    const [second, first] = await shop.products()
    expect(first!.tags.map(({ name }) => name)).toEqual(['night', 'Day'])
    expect(second!.tags.map(({ name }) => name)).toEqual(['Day'])
    expect(first!.tags[0]!.id).toBe(night.id)
    const { changes } = await shop.get<{ changes: { kind: string; action: string }[] }>('changes')
    expect(
      changes
        .slice(1)
        .map(({ kind, action }) => `${kind} ${action}`)
        .sort(),
    ).toEqual(['COLLECTION UPSERT', 'PRODUCT UPSERT', 'PRODUCT UPSERT', 'TAG UPSERT'])
    await shop.post(`change-sets/${set.id}/undo`)
    expect([await named('tags'), await named('collections'), await shop.products()]).toEqual([
      ['night'],
      [],
      [],
    ])
  })

  test('is kept by the undo where others have come to use it', async () => {
    const { set } = await shop.planned(file, { make: { tags: true, collections: true } })
    await shop.post(`change-sets/${set.id}/apply`)
    const { tags } = await shop.get<{ tags: { id: string; name: string }[] }>('tags')
    await shop.givenProduct({ tagIds: [tags.find(({ name }) => name === 'Day')!.id] })
    await shop.post(`change-sets/${set.id}/undo`)
    expect((await shop.get<{ tags: { name: string }[] }>('tags')).tags).toMatchObject([
      { name: 'Day' },
    ])
  })

  test('is not made twice if somebody made it meanwhile', async () => {
    const { set } = await shop.planned(file, { make: { tags: true, collections: true } })
    const { id } = await shop.post<{ id: string }>('tags', { name: 'NIGHT' })
    const refused = await shop.post<{ code: string; fieldErrors: object }>(
      `change-sets/${set.id}/apply`,
      {},
      409,
    )
    expect([refused.code, refused.fieldErrors]).toEqual(['write_conflict', { [id]: 'NIGHT' }])
    await shop.post(`change-sets/${set.id}/plan`)
    await shop.post(`change-sets/${set.id}/apply`)
    expect((await shop.get<{ tags: object[] }>('tags')).tags).toHaveLength(2)
  })

  test('is not made without the scope for it, when planned or applied', async () => {
    const make = { tags: true, collections: true }
    const { key } = await service.givenKey(importer.owner, {
      scopes: ['products:read', 'products:write', 'collections:write'],
    })
    const lesser = fileCalls(service, key, shop.workspaceId)
    const { set } = await shop.planned(file, { make })
    const refused = await lesser.post<{ code: string }>(`change-sets/${set.id}/apply`, {}, 403)
    expect(refused.code).toBe('insufficient_scope')
    const { rows } = await lesser.planned(file, { make })
    expect(rows[0]!.errors).toEqual({ row: expect.stringContaining('tags:write') as string })
  })

  test('must be one alone', async () => {
    for (const name of ['Night', 'NIGHT']) await shop.post('tags', { name })
    const { rows } = await shop.planned('sku,name,brand,barcode,tags\nT-1,One,Ana,1,night\n')
    expect(rows[0]!.errors).toEqual({ tags: 'There are several named night. Give the id of one.' })
  })
})

describe('pictures of rows', () => {
  const head = 'sku,name,brand,barcode,images'
  async function givenPicture(fileName: string): Promise<string> {
    const body = { fileName, mimeType: 'image/png', base64: (await image()).toString('base64') }
    return (await shop.post<{ id: string }>('media', body)).id
  }
  const fetched = () => host.requests('/p/one.png')

  test('are ids, file names or URLs, each fetched once', async () => {
    const [byId, byName] = [await givenPicture('a.png'), await givenPicture('b c.png')]
    const bytes = await image()
    host.serve('/p/one.png', { body: bytes })
    const url = host.url('/p/one.png')
    const before = fetched()
    const file = `${head}\nP-1,One,Ana,1,${byId}|b c.png|${url}\nP-2,Two,Ana,2,${url}\n`
    const { uploadId } = await shop.upload(file)
    for (let plan = 0; plan < 2; plan++) {
      const set = await shop.post<ChangeSet>('change-sets', { uploadId })
      expect([set.state, set.counts.errors]).toEqual(['PLANNED', 0])
      if (plan === 1) await shop.post(`change-sets/${set.id}/apply`)
    }
    expect(fetched() - before).toBe(1)
    const [second, first] = await shop.products()
    expect(first!.images.map(({ id, fileName }) => [id, fileName])).toEqual([
      [byId, 'a.png'],
      [byName, 'b c.png'],
      [expect.stringMatching(/^med_/), 'one.png'],
    ])
    expect(second!.images).toEqual([first!.images[2]])
  })

  test('that cannot be had are errors of their rows, and tried again', async () => {
    const url = host.url(`/p/${unique('late')}.png`)
    const { set, rows } = await shop.planned(
      `${head}\nP-1,One,Ana,1,${url}\nP-2,Two,Ana,2,http://images.example.com/x.png\nP-3,Three,Ana,3,https://10.0.0.1/x.png\n`,
    )
    expect(rows.map(({ errors }) => errors)).toEqual([
      { images: 'The address answered 404 instead of a picture.' },
      { images: 'Must be a public https address, without a port of its own.' },
      { images: expect.any(String) as string },
    ])
    host.serve(new URL(url).pathname, { body: await image() })
    await shop.post(`change-sets/${set.id}/plan`)
    await service.app.changeSets.flush()
    const again = await shop.get<ChangeSet>(`change-sets/${set.id}`)
    expect([again.state, again.counts.errors]).toEqual(['PLANNED', 2])
  })

  test('are fetched though other links of their host are broken', async () => {
    const name = unique('broken')
    for (const good of [4, 5]) host.serve(`/${name}/${good}.png`, { body: await image() })
    const lines = [1, 2, 3, 4, 5].map(
      (each) => `B-${each},Broken ${each},Ana,${each},${host.url(`/${name}/${each}.png`)}`,
    )
    const { rows } = await shop.planned([head, ...lines.reverse()].join('\n'))
    const broken = { images: 'The address answered 404 instead of a picture.' }
    expect(rows.map(({ errors }) => errors)).toEqual([{}, {}, broken, broken, broken])
  })

  test('of many are fetched in the background', async () => {
    const bytes = await image()
    const urls = Array.from({ length: 13 }, (_, index) => `/many/${index}.png`)
    for (const path of urls) host.serve(path, { body: bytes })
    const lines = urls.map(
      (path, index) => `M-${index},Many ${index},Ana,${index},${host.url(path)}`,
    )
    const { uploadId } = await shop.upload([head, ...lines].join('\n'))
    const set = await shop.post<ChangeSet>('change-sets', { uploadId })
    expect(set.state).toBe('PLANNING')
    await service.app.changeSets.flush()
    await shop.post(`change-sets/${set.id}/apply`)
    expect((await shop.products()).map(({ images }) => images.length)).toEqual(urls.map(() => 1))
  })

  test('need the scope to fetch them', async () => {
    const scopes = ['products:read', 'products:write'] as const
    const { key } = await service.givenKey(importer.owner, { scopes: [...scopes] })
    const before = fetched()
    const { rows } = await fileCalls(service, key, shop.workspaceId).planned(
      `${head}\nP-1,One,Ana,1,${host.url('/p/one.png')}\n`,
    )
    expect(rows[0]!.errors).toEqual({ row: expect.stringContaining('media:write') as string })
    expect(fetched()).toBe(before)
  })
})
