import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from 'yaml'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { allCases } from '../every_operation/turns.ts'
import {
  changeContract,
  copyProject,
  generateIn,
  root,
  serveFolder,
} from '../kit/copied_project.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { languages } from '../../src/texts/languages.ts'
import { withEdit } from './small_contract.ts'

// Follows the recipe "Add a field" of CONTRIBUTING.md in a copy of the project.

let database: TestDatabase
let service: TestService
let scene: Scene
let folder: string
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  scene = await givenScene(service)
  folder = copyProject('codegen', 'test', '.github/guides', 'CHANGELOG.md')
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

/** The files that were edited or added, for the comparison with the recipe. */
const edited: string[] = []

function edit(file: string, change: (text: string) => string): void {
  edited.push(file)
  const path = join(folder, file)
  writeFileSync(path, change(existsSync(path) ? readFileSync(path, 'utf8') : ''))
}

/** Adds a line before the first one that starts with `line`, after `start`. */
function before(text: string, start: string, line: string, added: string): string {
  const from = text.indexOf(start)
  const at = text.indexOf(`\n${line}`, from)
  if (from < 0 || at < 0) throw new Error(`There is no ${start} with ${line}`)
  return `${text.slice(0, at + 1)}${added}\n${text.slice(at + 1)}`
}

function addToContract(contract: Document): void {
  const schemas = ['components', 'schemas']
  const field = { description: 'The weight in grams.', type: 'integer', minimum: 0, maximum: 9000 }
  contract.setIn([...schemas, 'ProductUpdate', 'properties', 'weightGrams'], field)
  for (const name of ['ProductCreate', 'ProductPatch', 'Product', 'ProductPart'])
    contract.setIn([...schemas, name, 'properties', 'weightGrams'], {
      $ref: '#/components/schemas/ProductUpdate/properties/weightGrams',
    })
  for (const name of ['ProductCreate', 'ProductUpdate', 'Product'])
    contract.addIn([...schemas, name, 'required'], 'weightGrams')
  for (const name of ['ProductField', 'ImportField'])
    contract.addIn([...schemas, name, 'enum'], 'weightGrams')
  const maxItems = ['components', 'parameters', 'ProductFields', 'schema', 'maxItems']
  contract.setIn(maxItems, (contract.getIn(maxItems) as number) + 1)
  for (const name of ['ProductCreate', 'ProductUpdate', 'Product'])
    contract.setIn(['components', 'examples', name, 'value', 'weightGrams'], 250)
}

const migration = `import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    name: 'weights of products',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql\`alter table products
          add column if not exists weight_grams integer not null default 0\`.execute(trx)
      }),
  },
]
`

function nextMigration(): string {
  const numbers = readdirSync(join(folder, 'src/db/migrations')).map((name) => parseInt(name))
  return `src/db/migrations/${String(Math.max(...numbers) + 1).padStart(4, '0')}_weights.ts`
}

/** What the compiler says of the copy; nothing if it is content. */
function complaintsOf(...args: string[]): Promise<string> {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return new Promise((resolve) => {
    // Of several checkers, each works out the types that they share; other tests use the other cores.
    const all = [compiler, '--checkers', '1', ...args]
    execFile(process.execPath, all, { cwd: folder }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

const namesProducts = /'Product'|Product(?:Create|Update|Patch|Part|Field)|ImportField|productBody/

/** Scripts and tests that the types of products reach: on demand, all of them. */
function listReached(): string[] {
  return ['codegen', 'scripts', 'test'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .map((path) => join(name, path))
      .filter((path) => path.endsWith('.ts') && !path.startsWith('scripts/client/source'))
      .filter((path) => allCases || namesProducts.test(readFileSync(join(folder, path), 'utf8'))),
  )
}

/** What the compiler says of a part of the copy. */
function complaintsOfPart(part: { include: string[]; files?: string[] }): Promise<string> {
  const name = 'tsconfig.part.json'
  const text = JSON.stringify({ extends: './tsconfig.json', ...part })
  writeFileSync(join(folder, name), text)
  return complaintsOf('-p', name)
}

/** The files that the recipe names in code marks, as expressions. */
function recipe(): { words: string; files: RegExp[] } {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [words = ''] = text.slice(text.indexOf('\n## Add a field\n') + 1).split('\n## ')
  const steps = words.slice(words.indexOf('\n1. '))
  const names = [...steps.matchAll(/`([\w/*]+\.(?:ts|tsx|json|yaml))`/g)].map(([, name]) => name!)
  const patterns = names.filter((name) => !name.startsWith('test/'))
  return {
    words,
    files: patterns.map(
      (name) => new RegExp(`^${name.replace('NNNN_noun', '\\d{4}_\\w+').replace('*', '[^/]+')}$`),
    ),
  }
}

describe('a field added by the recipe', { timeout: 300_000 }, () => {
  test('does not compile in the contract and the database alone', async () => {
    edited.push('openapi.yaml')
    changeContract(folder, addToContract)
    edit(nextMigration(), () => migration)
    await generateIn(folder)
    const complaints = await complaintsOfPart({ include: ['handlers'] })
    const places = [...complaints.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file)
    expect([...new Set(places)].sort()).toEqual([
      'src/domain/change_sets/files/columns.ts',
      'src/queries/catalogue/product_fields.ts',
    ])
    // Stored, answered whole, in the answers of a part of the fields, and a column of a file.
    expect(complaints.match(/weightGrams/g)!.length).toBeGreaterThanOrEqual(3)
  })

  test('compiles when it is stored, answered, imported and on the form', async () => {
    edit('src/queries/catalogue/product_fields.ts', (text) => {
      const stored = before(text, 'storedFields<', '  stock:', "  weightGrams: 'integer',")
      const answer = "    weightGrams: written(own('weight_grams')),"
      return before(stored, 'const productFields', '    stock:', answer)
    })
    edit('src/web/dashboard/products/form.tsx', (text) => {
      const empty = before(text, 'function emptyProduct', '    stock:', "    weightGrams: '0',")
      const read = withEdit(
        empty,
        'stock: String(product.stock) }',
        'stock: String(product.stock), weightGrams: String(product.weightGrams) }',
      )
      const sent = withEdit(
        read,
        'stock: numberIn(input.stock),',
        'stock: numberIn(input.stock), weightGrams: numberIn(input.weightGrams),',
      )
      const input = `          <TextField
            {...form.text('weightGrams')}
            label={f('weightGrams')}
            type="number"
            limit={limits.ProductCreate.weightGrams}
          />`
      return before(sent, "label={f('stock')}", '          <TextField', input)
    })
    for (const language of languages)
      edit(`src/texts/${language}/pages.json`, (text) =>
        before(text, '"fields": {', '    "', `    "weightGrams": "Weight (${language})",`),
      )
    const part = { include: ['handlers', 'src', 'test/kit'], files: listReached() }
    expect([await complaintsOfPart(part), await complaintsOf('-p', 'src/web')]).toEqual(['', ''])
  })

  test('touches the files that the recipe names, and no other', () => {
    const { words, files } = recipe()
    const other = edited.filter((file) => !files.some((pattern) => pattern.test(file)))
    const untouched = files.filter((pattern) => !edited.some((file) => pattern.test(file)))
    expect({ other, untouched }).toEqual({ other: [], untouched: [] })
    expect(edited).toHaveLength(6)
    expect(words).toContain('six files')
  })

  test('is written, read, exported, found in files and kept by a patch that does not name it', async () => {
    const copy = await serveFolder(folder, database)
    const path = `/v1/workspaces/${scene.workspace.id}/products`
    const call = async (method: 'get' | 'post' | 'patch', target: string, body?: object) => {
      const sent = request(copy.urls.api)[method](target).send(body)
      return (await sent.set('Authorization', `Bearer ${scene.key}`)).body
    }
    try {
      const contract = JSON.parse(readFileSync(join(folder, 'src/generated/openapi.json'), 'utf8'))
      const product = {
        ...contract.components.examples.ProductCreate.value,
        name: 'Weighed',
        sku: 'W-1',
        barcode: 'W-1',
      }
      const refused = await call('post', path, { ...product, weightGrams: 9001 })
      expect(refused.fieldErrors).toEqual({ weightGrams: 'At most 9,000.' })
      const { id, weightGrams } = await call('post', path, product)
      expect(weightGrams).toBe(250)
      for (const query of ['view=full', 'view=summary', 'search=W-1', 'fields=weightGrams']) {
        const { products } = await call('get', `${path}?sort=-createdAt&${query}`)
        expect(products[0]).toMatchObject({ id, weightGrams: 250 })
      }
      expect(await call('patch', `${path}/${id}`, { weightGrams: 300 })).toMatchObject({
        weightGrams: 300,
      })
      await call('patch', `${path}/${id}`, { stock: 3 })
      expect(await call('get', `${path}/${id}`)).toMatchObject({ stock: 3, weightGrams: 300 })
      const { text } = await request(copy.urls.api)
        .get(`${path}/export?search=W-1`)
        .set('Authorization', `Bearer ${scene.key}`)
        .buffer(true)
      const [columns, row] = text.split('\r\n')
      expect(columns).toContain(',sku,barcode,weightGrams,stock,')
      expect(row).toContain(',W-1,W-1,300,3,')
      const { body: upload } = await request(copy.urls.api)
        .post(`/v1/workspaces/${scene.workspace.id}/change-sets/upload`)
        .set('Authorization', `Bearer ${scene.key}`)
        .field('format', 'csv')
        .attach('file', Buffer.from('WEIGHT (TR)\n300\n'), 'weights.csv')
      expect(upload.columns).toMatchObject([{ field: 'weightGrams' }])
    } finally {
      await copy.stop()
    }
  })
})
