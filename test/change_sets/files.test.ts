import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as enums from '../../src/generated/enums.ts'
import type { components } from '../../src/generated/types.ts'
import { languages, loadPageTexts } from '../../src/texts/languages.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { type ChangeSet, type FileCalls, givenImporter } from './file_calls.ts'

type Schemas = components['schemas']

let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
beforeAll(async () => {
  service = await startService()
  importer = await givenImporter(service)
})
beforeEach(async () => {
  shop = await importer.inWorkspace()
})
afterAll(async () => {
  await service.close()
})

describe('an uploaded file', () => {
  test('is answered with its columns, their fields and samples', async () => {
    const file = 'Stok Kodu;ADI;açıklama;Adet;\nA-1;"Gül; suyu";;3;\nA-2;Krem;Gece;3;\n'
    expect(await shop.upload(file)).toEqual({
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
      const { columns } = await shop.upload(`${names}\na\n`)
      expect(columns.map(({ field }) => field)).toEqual(fields.split(','))
    }
  })

  test.each(languages)('is matched by what the pages call the fields in %s', async (language) => {
    const { default: texts } = await loadPageTexts[language]()
    const labels = enums.ImportField.map((field) => texts.fields[field].toUpperCase())
    const { columns } = await shop.upload(`${labels.join(',')}\na\n`)
    expect(columns.map(({ field }) => field)).toEqual(enums.ImportField)
  })

  test('is matched by the names that shops’ own tables have, after those of the fields', async () => {
    const matched = async (names: string) =>
      (await shop.upload(`${names}\na\n`)).columns.map(({ field }) => field)
    expect(await matched('Ürün adı,Stok adedi,Barkod no,Ürün açıklaması,Stock code')).toEqual([
      'name',
      'stock',
      'barcode',
      'description',
      'sku',
    ])
    expect(await matched('URUN ISMI,Stok Miktarı,EAN')).toEqual(['name', 'stock', 'barcode'])
    expect(await matched('Product name,Stock quantity,GTIN')).toEqual(['name', 'stock', 'barcode'])
    expect(await matched('Title,Ad,Adet,Quantity')).toEqual([null, 'name', null, null])
    expect(await matched('Title,Product name')).toEqual(['name', null])
  })

  test('that is refused leaves nothing', async () => {
    const answer = await shop.send(`sku\n${'a\n'.repeat(100_001)}`)
    expect([answer.status, answer.body.fieldErrors]).toEqual([
      400,
      { file: 'A file has at most 100,000 rows. Split it.' },
    ])
    expect((await shop.send('sku,name\n')).body.fieldErrors).toEqual({
      file: 'The file has no rows.',
    })
    const left =
      await sql`select from change_set_upload_rows where workspace_id = ${shop.workspaceId}
      union all select from change_set_uploads where workspace_id = ${shop.workspaceId}`.execute(
        service.db,
      )
    expect(left.rows).toEqual([])
  })

  test('needs a file and a format, and nothing else', async () => {
    const request = () => service.api(importer.key).post(shop.at('change-sets/upload'))
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
    const { uploadId } = await shop.upload('sku\n1\n')
    const refused = { uploadId: `There is no ${uploadId} in this workspace.` }
    const refusalIn = async ({ post }: FileCalls) =>
      (await post<{ fieldErrors: object }>('change-sets', { uploadId }, 400)).fieldErrors
    expect(await refusalIn(await importer.inWorkspace())).toEqual(refused)
    await shop.post('change-sets', { uploadId })
    for (let count = 0; count < 10; count++) await shop.upload('sku\n1\n')
    expect(await refusalIn(shop)).toEqual(refused)
    const { uploadId: last } = await shop.upload('sku\n1\n')
    service.advance(24 * 3600_000)
    expect(await shop.post('change-sets', { uploadId: last }, 400)).toMatchObject({
      fieldErrors: { uploadId: `There is no ${last} in this workspace.` },
    })
  })
})

describe('the plan of a file', () => {
  test('creates what it does not know, and changes what it does', async () => {
    const [first, second] = [await shop.givenProduct(), await shop.givenProduct()]
    const { set, rows } = await shop.planned(
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
    await shop.post(`change-sets/${set.id}/apply`)
    const found = new Map((await shop.products()).map((product) => [product.sku, product]))
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
    const { set, rows } = await shop.planned(
      [
        'Ad,marka,stok kodu,Barkod,stok,Durum,etiketler,görseller,satış',
        'A,Ana,S-1,B-1,many,aktif,,,',
        'B,Ana,S-2,,1,PASIF,,,',
        'C,Ana,S-3,B-3,1,gone,Nowhere,,',
        'D,Ana,S-4,B-4,1,,,none.png,',
        'E,Ana,S-5,B-5,1,,,,shop',
        'F,Ana,S-6,B-6,1,,,,,,',
        'G,Ana,S-7,B-7,1,,,,',
        'H,Ana,S-7,B-8,1,,,,',
      ].join('\n'),
    )
    expect([set.state, set.counts.errors]).toEqual(['PLANNED', 6])
    expect(rows.map(({ errors }) => errors)).toEqual([
      { stok: expect.any(String) as string },
      {},
      { etiketler: 'There is no Nowhere in this workspace.' },
      { görseller: 'There is no none.png in this workspace.' },
      { satış: expect.any(String) as string },
      {
        row: 'The row has more values than the file has columns, 9. Check its quotes and separators.',
      },
      {},
      { 'stok kodu': 'Another product has this SKU.' },
    ])
    const refused = await shop.post<{ code: string }>(`change-sets/${set.id}/apply`, {}, 409)
    expect(refused.code).toBe('change_set_has_errors')
    expect(await shop.products()).toEqual([])
  })

  test('gives new products without SKU or barcode some, the same each time', async () => {
    const file = [
      'Ürün adı;Marka;Stok adedi',
      'Rose balm;Ana;3',
      'Rose balsam;Ana;4',
      'Gül suyu;Ana;',
    ].join('\n')
    const { set, rows } = await shop.planned(file)
    expect(set.counts).toMatchObject({ rows: 3, creates: 3, errors: 0 })
    const numbersIn = (found: typeof rows) =>
      found.map(({ sku, changes }) => [
        sku,
        changes.find(({ field }) => field === 'barcode')?.after,
      ])
    const numbers = numbersIn(rows)
    expect(numbers).toEqual(
      ['ROSBAL', 'ROSBAL', 'GULSUY'].map((letters) => [
        expect.stringMatching(new RegExp(`^${letters}-\\d{5}$`)),
        expect.stringMatching(/^20\d{11}$/),
      ]),
    )
    expect(new Set(numbers.flat()).size).toBe(6)
    await shop.post(`change-sets/${set.id}/plan`)
    const again = await shop.get<{ rows: typeof rows }>(`change-sets/${set.id}/rows`)
    expect(numbersIn(again.rows)).toEqual(numbers)
    await shop.post(`change-sets/${set.id}/apply`)
    expect((await shop.products()).map(({ sku, barcode }) => [sku, barcode]).sort()).toEqual(
      [...numbers].sort(),
    )
  })

  test('takes no SKU that is another product’s', async () => {
    const file = 'name,brand\nRose balm,Ana\n'
    const { uploadId } = await shop.upload(file)
    const planned = async () => {
      const { id } = await shop.post<ChangeSet>('change-sets', { uploadId })
      const { rows } = await shop.get<{ rows: Schemas['ChangeSetRow'][] }>(`change-sets/${id}/rows`)
      return rows.map(({ sku, errors }) => [sku, errors])
    }
    const [[sku]] = (await planned()) as [[string]]
    await shop.givenProduct({ sku: sku.toLowerCase() })
    expect(await planned()).toEqual([[expect.stringMatching(/^ROSBAL-\d{10}$/), {}]])
  })

  test('leaves an emptied SKU a fault', async () => {
    const { rows } = await shop.planned('name,brand,sku,barcode\nRose balm,Ana,-,-\n')
    expect(rows.map(({ errors }) => Object.keys(errors))).toEqual([['sku', 'barcode']])
  })

  test('follows a mapping', async () => {
    const product = await shop.givenProduct()
    const file = `Code,Stock,Name\n${product.sku},9,Other\n`
    const { set } = await shop.planned(file, { mapping: { Code: 'sku', Name: null } })
    await shop.post(`change-sets/${set.id}/apply`)
    expect(await shop.products()).toMatchObject([{ stock: 9, name: product.name }])
    const { uploadId } = await shop.upload(file)
    const refusal = async (mapping: object) =>
      (await shop.post<{ fieldErrors: object }>('change-sets', { uploadId, mapping }, 400))
        .fieldErrors
    expect(await refusal({ Kode: 'sku' })).toEqual({
      'mapping.Kode': 'The file has no column of this name.',
    })
    expect(await refusal({ Code: 'code' })).toEqual({
      'mapping.Code': expect.stringMatching(
        /^There is no such field; known are id, name, /,
      ) as string,
    })
    expect(await refusal({ Code: 'sku', Name: 'sku' })).toEqual({
      'mapping.Name': 'The column Code is sku already.',
    })
    expect(await refusal({ Stock: null, Name: null })).toEqual({
      mapping: 'No column is a field of products. Say which is which.',
    })
  })

  test('takes NDJSON and JSON', async () => {
    const product = await shop.givenProduct()
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
      const plan = await shop.planned(file, {}, format)
      expect(plan.set.counts).toMatchObject({ creates: 1, updates: 1, errors: 1 })
      expect(Object.keys(plan.rows[2]!.errors)).toEqual(['name', 'brand', 'stock'])
    }
  })

  test('of an export is no change', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: 'Night | care' })
    const twins = [
      await shop.post<{ id: string }>('tags', { name: 'Twin' }),
      await shop.post<{ id: string }>('tags', { name: 'TWIN' }),
    ]
    const product = await shop.givenProduct({
      name: `'=1+1 ${unique('n')}`,
      description: '-',
      information: 'A, "b"\nc;\td',
      tagIds: [tag.id, twins[1]!.id],
      sales: [{ name: 'A|B=C\\', link: 'https://shop.example/?a=b&c=d|e' }],
    })
    await shop.post('collections', { name: '@Evening', productIds: [product.id] })
    await shop.givenProduct({ description: '  ' })
    for (const format of ['csv', 'ndjson']) {
      const file = await service
        .api(importer.key)
        .get(shop.at(`products/export?format=${format}`))
        .buffer()
        .parse((response, done) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part: string) => (text += part))
          response.on('end', () => done(null, text))
        })
      const { set, rows } = await shop.planned(file.body as string, {}, format)
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

test('a large file is planned in the background, with exactly its bad rows', async () => {
  const bad = new Set(Array.from({ length: 7 }, (_, index) => 13 + index * 171))
  const lines = Array.from({ length: 1_300 }, (_, index) => {
    const code = createHash('sha1').update(String(index)).digest('hex').slice(0, 12)
    return `${code},Name ${code},Ana,${code},${bad.has(index) ? 'none' : index}`
  })
  const { uploadId, rows } = await shop.upload(
    ['sku,name,brand,barcode,stock', ...lines].join('\n'),
  )
  expect(rows).toBe(1_300)
  const { id, state } = await shop.post<ChangeSet>('change-sets', { uploadId })
  expect(state).toBe('PLANNING')
  await service.app.changeSets.flush()
  const set = await shop.get<ChangeSet>(`change-sets/${id}`)
  expect([set.state, set.counts]).toEqual([
    'PLANNED',
    { rows: 1_300, creates: 1_293, updates: 0, deletes: 0, unchanged: 0, errors: 7 },
  ])
  const listed = await shop.get<{ rows: Schemas['ChangeSetRow'][] }>(
    `change-sets/${id}/rows?only=errors&pageSize=100`,
  )
  expect(listed.rows.map(({ row, errors }) => [row, Object.keys(errors)])).toEqual(
    [...bad].map((row) => [row, ['stock']]),
  )
})
