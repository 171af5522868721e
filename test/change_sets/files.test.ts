import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import type { components } from '../../src/generated/types.ts'
import { type MetadataHost, startMetadataHost } from '../kit/peers/metadata_host.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { image } from '../media/pictures.ts'

type Schemas = components['schemas']
type ChangeSet = Schemas['ChangeSet']
type Upload = Schemas['ChangeSetUpload']

let host: MetadataHost
let service: TestService
let owner: Person
let workspaceId: string
let key: string
beforeAll(async () => {
  host = await startMetadataHost(['images.example.com'])
  service = await startService({ publicDownload: createPublicDownload(host.fetchParts) })
  owner = await service.givenPerson({ workspaceLimit: 40 })
  key = (await service.givenKey(owner)).key
})
beforeEach(async () => {
  workspaceId = (await service.givenWorkspace(owner)).id
})
afterAll(async () => {
  await service.close()
  await host.close()
})

const at = (path: string) => `/v1/workspaces/${workspaceId}/${path}`

async function post<T>(path: string, body: object = {}, status = 200): Promise<T> {
  const answer = await service.api(key).post(at(path)).send(body)
  expect([answer.status, answer.body]).toEqual([status, answer.body])
  return answer.body as T
}

async function get<T>(path: string): Promise<T> {
  return (await service.api(key).get(at(path)).expect(200)).body as T
}

const send = (content: string | Buffer, format = 'csv') =>
  service
    .api(key)
    .post(at('change-sets/upload'))
    .field('format', format)
    .attach('file', Buffer.from(content), `spring.${format}`)

async function upload(content: string | Buffer, format?: string): Promise<Upload> {
  return (await send(content, format).expect(200)).body as Upload
}

/** The plan of a file, and its rows. */
async function planned(content: string, more: object = {}, format?: string) {
  const { uploadId } = await upload(content, format)
  const set = await post<ChangeSet>('change-sets', { uploadId, ...more })
  return { set, rows: await rowsOf(set) }
}

const rowsOf = async ({ id }: ChangeSet) =>
  (await get<{ rows: Schemas['ChangeSetRow'][] }>(`change-sets/${id}/rows?pageSize=100`)).rows

const products = async () => (await get<{ products: Schemas['Product'][] }>('products')).products

const givenProduct = (values: object = {}) => {
  const sku = unique('sku')
  const own = { name: `Name ${sku}`, brand: 'Ana', sku, barcode: `b-${sku}`, stock: 5 }
  const rest = { status: 'ACTIVE', information: 'Rose oil.', description: 'For dry skin.' }
  return post<Schemas['Product']>('products', { ...own, ...rest, ...values })
}

describe('an uploaded file', () => {
  test('is answered with its columns, their fields and samples', async () => {
    const file = 'Stok Kodu;ADI;açıklama;Adet;\nA-1;"Gül; suyu";;3;\nA-2;Krem;Gece;3;\n'
    expect(await upload(file)).toEqual({
      uploadId: expect.stringMatching(/^csu_/),
      fileName: 'spring.csv',
      rows: 2,
      columns: [
        { name: 'Stok Kodu', field: 'sku', samples: ['A-1', 'A-2'] },
        { name: 'ADI', field: null, samples: ['Gül; suyu', 'Krem'] },
        { name: 'açıklama', field: 'description', samples: ['Gece'] },
        { name: 'Adet', field: null, samples: ['3'] },
      ],
    })
  })

  test('of every field is matched in English and in Turkish', async () => {
    const fields =
      'name,brand,sku,barcode,stock,description,information,status,tags,collections,images,sales'
    const turkish =
      'AD,marka,Stok_Kodu,barkod,stok,Aciklama,bilgi,durum,etiketler,koleksiyonlar,gorseller,SATIŞ'
    for (const names of [fields, turkish]) {
      const { columns } = await upload(`${names}\na\n`)
      expect(columns.map(({ field }) => field)).toEqual(fields.split(','))
    }
  })

  test('that is refused leaves nothing', async () => {
    const answer = await send(`sku\n${'a\n'.repeat(100_001)}`)
    expect([answer.status, answer.body.fieldErrors]).toEqual([
      400,
      { file: 'A file has at most 100,000 rows. Split it.' },
    ])
    expect((await send('sku,name\n')).body.fieldErrors).toEqual({ file: 'The file has no rows.' })
    const left = await sql`select from change_set_upload_rows where workspace_id = ${workspaceId}
      union all select from change_set_uploads where workspace_id = ${workspaceId}`.execute(
      service.db,
    )
    expect(left.rows).toEqual([])
  })

  test('needs a file and a format, and nothing else', async () => {
    const request = () => service.api(key).post(at('change-sets/upload'))
    const refusal = async (sent: ReturnType<typeof request>) =>
      (({ status, body }) => [status, body.fieldErrors])(await sent)
    expect(await refusal(request().field('format', 'csv'))).toEqual([400, { file: 'Required.' }])
    const file = Buffer.from('sku\n1\n')
    expect(await refusal(request().attach('file', file, 'a.csv'))).toEqual([
      400,
      { format: 'Required.' },
    ])
    expect(await refusal(request().field('format', 'xml').attach('file', file, 'a.csv'))).toEqual([
      400,
      { format: expect.stringContaining('csv') as string },
    ])
    expect(await refusal(request().field('kind', 'x').attach('file', file, 'a.csv'))).toEqual([
      400,
      { kind: 'Unknown field.' },
    ])
  })

  test('is of its workspace alone, kept for a day, the last ten of them', async () => {
    const { uploadId } = await upload('sku\n1\n')
    const own = workspaceId
    workspaceId = (await service.givenWorkspace(owner)).id
    const refused = { uploadId: `There is no ${uploadId} in this workspace.` }
    const refusal = async () =>
      (await post<{ fieldErrors: object }>('change-sets', { uploadId }, 400)).fieldErrors
    expect(await refusal()).toEqual(refused)
    workspaceId = own
    await post('change-sets', { uploadId })
    for (let count = 0; count < 10; count++) await upload('sku\n1\n')
    expect(await refusal()).toEqual(refused)
    const { uploadId: last } = await upload('sku\n1\n')
    service.advance(24 * 3600_000)
    expect(await post('change-sets', { uploadId: last }, 400)).toMatchObject({
      fieldErrors: { uploadId: `There is no ${last} in this workspace.` },
    })
  })
})

describe('the plan of a file', () => {
  test('creates what it does not know, and changes what it does', async () => {
    const [first, second] = [await givenProduct(), await givenProduct()]
    const { set, rows } = await planned(
      [
        'id,sku,name,brand,barcode,stock,description,sales',
        `${first.id},,,,,7,-,`,
        `,${second.sku.toUpperCase()},New name,,,,,\\=Our shop=https://shop.example/?a=b|B\\=C=https://b.example`,
        ',N-1,Rose balm,Ana,N-1,,,',
        'prod_unknown,N-2,Rose oil,Ana,N-2,3,"Two\nlines",-',
      ].join('\r\n'),
      { title: 'Spring' },
    )
    expect([set.state, set.title, set.fileName, set.counts]).toEqual([
      'PLANNED',
      'Spring',
      'spring.csv',
      { rows: 4, creates: 2, updates: 2, deletes: 0, unchanged: 0, errors: 0 },
    ])
    expect(rows.map(({ row, action, productId }) => [row, action, productId])).toEqual([
      [0, 'patch', first.id],
      [1, 'patch', second.id],
      [2, 'create', expect.stringMatching(/^prod_/)],
      [3, 'create', expect.stringMatching(/^prod_/)],
    ])
    await post(`change-sets/${set.id}/apply`)
    const found = new Map((await products()).map((product) => [product.sku, product]))
    expect(found.get(first.sku)).toMatchObject({ stock: 7, description: '', name: first.name })
    expect(found.get(second.sku.toUpperCase())).toMatchObject({
      name: 'New name',
      stock: 5,
      sales: [
        { name: '=Our shop', link: 'https://shop.example/?a=b' },
        { name: 'B=C', link: 'https://b.example' },
      ],
    })
    const fresh = { status: 'INACTIVE', stock: 0, description: '', information: '', sales: [] }
    expect(found.get('N-1')).toMatchObject({ ...fresh, name: 'Rose balm' })
    expect(found.get('N-2')).toMatchObject({ ...fresh, stock: 3, description: 'Two\nlines' })
  })

  test('names the column of what is wrong, and nothing is written', async () => {
    const { set, rows } = await planned(
      [
        'Ad,marka,stok kodu,Barkod,stok,Durum,etiketler,görseller,satış',
        'A,Ana,S-1,B-1,many,aktif,,,',
        'B,Ana,S-2,,1,pasif,,,',
        'C,Ana,S-3,B-3,1,gone,Nowhere,,',
        'D,Ana,S-4,B-4,1,,,none.png,',
        'E,Ana,S-5,B-5,1,,,,shop',
        'F,Ana,S-6,B-6,1,,,,,,',
        'G,Ana,S-7,B-7,1,,,,',
        'H,Ana,S-7,B-8,1,,,,',
      ].join('\n'),
    )
    expect([set.state, set.counts.errors]).toEqual(['PLANNED', 7])
    expect(rows.map(({ errors }) => errors)).toEqual([
      { stok: expect.any(String) as string },
      { Barkod: 'Required.' },
      { etiketler: 'There is no Nowhere in this workspace.' },
      { görseller: 'There is no none.png in this workspace.' },
      { satış: expect.any(String) as string },
      {
        row: 'The row has more values than the file has columns, 9. Check its quotes and separators.',
      },
      {},
      { 'stok kodu': 'Another product has this SKU.' },
    ])
    const refused = await post<{ code: string }>(`change-sets/${set.id}/apply`, {}, 409)
    expect(refused.code).toBe('change_set_has_errors')
    expect(await products()).toEqual([])
  })

  test('follows a mapping', async () => {
    const product = await givenProduct()
    const file = `Code,Stock,Name\n${product.sku},9,Other\n`
    const { set } = await planned(file, { mapping: { Code: 'sku', Name: null } })
    await post(`change-sets/${set.id}/apply`)
    expect(await products()).toMatchObject([{ stock: 9, name: product.name }])
    const { uploadId } = await upload(file)
    const refusal = async (mapping: object) =>
      (await post<{ fieldErrors: object }>('change-sets', { uploadId, mapping }, 400)).fieldErrors
    expect(await refusal({ Kode: 'sku' })).toEqual({
      'mapping.Kode': 'The file has no column of this name.',
    })
    expect(await refusal({ Code: 'sku', Name: 'sku' })).toEqual({
      'mapping.Name': 'The column Code is sku already.',
    })
    expect(await refusal({ Stock: null, Name: null })).toEqual({
      mapping: 'No column is a field of products. Say which is which.',
    })
  })

  test('takes NDJSON and JSON', async () => {
    const product = await givenProduct()
    const rows = [
      { sku: product.sku, stock: 8, tags: [], sales: [{ name: 'A', link: 'https://a.example' }] },
      { sku: 'J-1', name: 'Rose', brand: 'Ana', barcode: 8690000000017, stock: '4', tags: null },
      { sku: product.sku + 'x', stock: 1.5 },
    ]
    const lines = rows.map((row) => JSON.stringify(row)).join('\n')
    for (const [format, file] of [
      ['ndjson', lines],
      ['json', JSON.stringify(rows)],
    ] as const) {
      const plan = await planned(file, {}, format)
      expect(plan.set.counts).toMatchObject({ creates: 1, updates: 1, errors: 1 })
      expect(Object.keys(plan.rows[2]!.errors)).toEqual(['name', 'brand', 'barcode', 'stock'])
    }
  })

  test('of an export is no change', async () => {
    const tag = await post<{ id: string }>('tags', { name: 'Night | care' })
    const twins = [
      await post<{ id: string }>('tags', { name: 'Twin' }),
      await post<{ id: string }>('tags', { name: 'TWIN' }),
    ]
    const product = await givenProduct({
      name: `'=1+1 ${unique('n')}`,
      description: '-',
      information: 'A, "b"\nc;\td',
      tagIds: [tag.id, twins[1]!.id],
      sales: [{ name: 'A|B=C\\', link: 'https://shop.example/?a=b&c=d|e' }],
    })
    await post('collections', { name: '@Evening', productIds: [product.id] })
    await givenProduct({ description: '  ' })
    for (const format of ['csv', 'ndjson']) {
      const file = await service
        .api(key)
        .get(at(`products/export?format=${format}`))
        .buffer()
        .parse((response, done) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part: string) => (text += part))
          response.on('end', () => done(null, text))
        })
      const { set, rows } = await planned(file.body as string, {}, format)
      expect([set.counts, rows.map(({ changes, errors }) => [changes, errors])]).toEqual([
        { rows: 2, creates: 0, updates: 0, deletes: 0, unchanged: 2, errors: 0 },
        [
          [[], {}],
          [[], {}],
        ],
      ])
    }
  })
})

describe('what rows name', () => {
  const file =
    'sku,name,brand,barcode,tags,collections\nT-1,One,Ana,1,Night|NIGHT |Day,Evening\nT-2,Two,Ana,2,day,\n'

  test('is made when it is to be, and gone after the undo', async () => {
    const night = await post<{ id: string }>('tags', { name: 'night' })
    const { set } = await planned(file, { make: { tags: true, collections: true } })
    expect(set.counts).toMatchObject({ creates: 2, errors: 0 })
    const named = async (kind: 'tags' | 'collections') =>
      ((await get<Record<string, { name: string }[]>>(kind))[kind] ?? []).map(({ name }) => name)
    expect([await named('tags'), await named('collections')]).toEqual([['night'], []])
    await post(`change-sets/${set.id}/apply`)
    expect([await named('tags'), await named('collections')]).toEqual([
      ['Day', 'night'],
      ['Evening'],
    ])
    const [second, first] = await products()
    expect(first!.tags.map(({ name }) => name)).toEqual(['night', 'Day'])
    expect(second!.tags.map(({ name }) => name)).toEqual(['Day'])
    expect(first!.tags[0]!.id).toBe(night.id)
    const { changes } = await get<{ changes: { kind: string; action: string }[] }>('changes')
    expect(
      changes
        .slice(1)
        .map(({ kind, action }) => `${kind} ${action}`)
        .sort(),
    ).toEqual(['COLLECTION UPSERT', 'PRODUCT UPSERT', 'PRODUCT UPSERT', 'TAG UPSERT'])
    await post(`change-sets/${set.id}/undo`)
    expect([await named('tags'), await named('collections'), await products()]).toEqual([
      ['night'],
      [],
      [],
    ])
  })

  test('is kept by the undo where others have come to use it', async () => {
    const { set } = await planned(file, { make: { tags: true, collections: true } })
    await post(`change-sets/${set.id}/apply`)
    const { tags } = await get<{ tags: { id: string; name: string }[] }>('tags')
    await givenProduct({ tagIds: [tags.find(({ name }) => name === 'Day')!.id] })
    await post(`change-sets/${set.id}/undo`)
    expect((await get<{ tags: { name: string }[] }>('tags')).tags).toMatchObject([{ name: 'Day' }])
  })

  test('is not made twice if somebody made it meanwhile', async () => {
    const { set } = await planned(file, { make: { tags: true, collections: true } })
    const { id } = await post<{ id: string }>('tags', { name: 'NIGHT' })
    const refused = await post<{ code: string; fieldErrors: object }>(
      `change-sets/${set.id}/apply`,
      {},
      409,
    )
    expect([refused.code, refused.fieldErrors]).toEqual(['write_conflict', { [id]: 'NIGHT' }])
    await post(`change-sets/${set.id}/plan`)
    await post(`change-sets/${set.id}/apply`)
    expect((await get<{ tags: object[] }>('tags')).tags).toHaveLength(2)
  })

  test('is not made without the scope for it, when planned or applied', async () => {
    const all = key
    const { key: lesser } = await service.givenKey(owner, {
      scopes: ['products:read', 'products:write', 'collections:write'],
    })
    const { set: own } = await planned(file, { make: { tags: true, collections: true } })
    key = lesser
    try {
      const refused = await post<{ code: string }>(`change-sets/${own.id}/apply`, {}, 403)
      expect(refused.code).toBe('insufficient_scope')
      const { rows } = await planned(file, { make: { tags: true, collections: true } })
      expect(rows[0]!.errors).toEqual({ row: expect.stringContaining('tags:write') as string })
    } finally {
      key = all
    }
  })

  test('must be one alone', async () => {
    for (const name of ['Night', 'NIGHT']) await post('tags', { name })
    const { rows } = await planned('sku,name,brand,barcode,tags\nT-1,One,Ana,1,night\n')
    expect(rows[0]!.errors).toEqual({ tags: 'There are several named night. Give the id of one.' })
  })
})

describe('pictures of rows', () => {
  const head = 'sku,name,brand,barcode,images'
  async function givenPicture(fileName: string): Promise<string> {
    const body = { fileName, mimeType: 'image/png', base64: (await image()).toString('base64') }
    return (await post<{ id: string }>('media', body)).id
  }
  const fetched = () => host.requests('/p/one.png')

  test('are ids, file names or URLs, each fetched once', async () => {
    const [byId, byName] = [await givenPicture('a.png'), await givenPicture('b c.png')]
    const bytes = await image()
    host.serve('/p/one.png', { body: bytes })
    const url = host.url('/p/one.png')
    const before = fetched()
    const file = `${head}\nP-1,One,Ana,1,${byId}|b c.png|${url}\nP-2,Two,Ana,2,${url}\n`
    const { uploadId } = await upload(file)
    for (let plan = 0; plan < 2; plan++) {
      const set = await post<ChangeSet>('change-sets', { uploadId })
      expect([set.state, set.counts.errors]).toEqual(['PLANNED', 0])
      if (plan === 1) await post(`change-sets/${set.id}/apply`)
    }
    expect(fetched() - before).toBe(1)
    const [second, first] = await products()
    expect(first!.images.map(({ id, fileName }) => [id, fileName])).toEqual([
      [byId, 'a.png'],
      [byName, 'b c.png'],
      [expect.stringMatching(/^med_/), 'one.png'],
    ])
    expect(second!.images).toEqual([first!.images[2]])
  })

  test('that cannot be had are errors of their rows, and tried again', async () => {
    const url = host.url(`/p/${unique('late')}.png`)
    const { set, rows } = await planned(
      `${head}\nP-1,One,Ana,1,${url}\nP-2,Two,Ana,2,http://images.example.com/x.png\nP-3,Three,Ana,3,https://10.0.0.1/x.png\n`,
    )
    expect(rows.map(({ errors }) => errors)).toEqual([
      { images: 'The address answered 404 instead of a picture.' },
      { images: 'Must be a public https address, without a port of its own.' },
      { images: expect.any(String) as string },
    ])
    host.serve(new URL(url).pathname, { body: await image() })
    await post(`change-sets/${set.id}/plan`)
    await service.app.changeSets.flush()
    const again = await get<ChangeSet>(`change-sets/${set.id}`)
    expect([again.state, again.counts.errors]).toEqual(['PLANNED', 2])
  })

  test('of many are fetched in the background', async () => {
    const bytes = await image()
    const urls = Array.from({ length: 13 }, (_, index) => `/many/${index}.png`)
    for (const path of urls) host.serve(path, { body: bytes })
    const lines = urls.map(
      (path, index) => `M-${index},Many ${index},Ana,${index},${host.url(path)}`,
    )
    const { uploadId } = await upload([head, ...lines].join('\n'))
    const set = await post<ChangeSet>('change-sets', { uploadId })
    expect(set.state).toBe('PLANNING')
    await service.app.changeSets.flush()
    await post(`change-sets/${set.id}/apply`)
    expect((await products()).map(({ images }) => images.length)).toEqual(urls.map(() => 1))
  })

  test('need the scope to fetch them', async () => {
    const all = key
    key = (await service.givenKey(owner, { scopes: ['products:read', 'products:write'] })).key
    try {
      const before = fetched()
      const { rows } = await planned(`${head}\nP-1,One,Ana,1,${host.url('/p/one.png')}\n`)
      expect(rows[0]!.errors).toEqual({ row: expect.stringContaining('media:write') as string })
      expect(fetched()).toBe(before)
    } finally {
      key = all
    }
  })
})

test('a large file is planned in the background, with exactly its bad rows', async () => {
  const bad = new Set(Array.from({ length: 7 }, (_, index) => 13 + index * 171))
  const lines = Array.from({ length: 1_300 }, (_, index) => {
    const code = createHash('sha1').update(String(index)).digest('hex').slice(0, 12)
    return `${code},Name ${code},Ana,${code},${bad.has(index) ? 'none' : index}`
  })
  const { uploadId, rows } = await upload(['sku,name,brand,barcode,stock', ...lines].join('\n'))
  expect(rows).toBe(1_300)
  const { id, state } = await post<ChangeSet>('change-sets', { uploadId })
  expect(state).toBe('PLANNING')
  await service.app.changeSets.flush()
  const set = await get<ChangeSet>(`change-sets/${id}`)
  expect([set.state, set.counts]).toEqual([
    'PLANNED',
    { rows: 1_300, creates: 1_293, updates: 0, deletes: 0, unchanged: 0, errors: 7 },
  ])
  const listed = await get<{ rows: Schemas['ChangeSetRow'][] }>(
    `change-sets/${id}/rows?only=errors&pageSize=100`,
  )
  expect(listed.rows.map(({ row, errors }) => [row, Object.keys(errors)])).toEqual(
    [...bad].map((row) => [row, ['stock']]),
  )
})
