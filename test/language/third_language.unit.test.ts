import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as Answers from '../../src/domain/assistant/built_in/local_answers.ts'
import type * as Admission from '../../src/domain/assistant/finding/admission.ts'
import type * as Constraints from '../../src/domain/assistant/understanding/constraints.ts'
import type * as Cells from '../../src/domain/change_sets/files/cells.ts'
import type * as Columns from '../../src/domain/change_sets/files/columns.ts'
import type { PublishedProduct } from '../../src/queries/catalogue/search/catalogue_search.ts'
import englishPages from '../../src/texts/en/pages.json' with { type: 'json' }
import english from '../../src/texts/en/service.json' with { type: 'json' }

/*
 * The house, to which German is added as CONTRIBUTING.md says: texts, a pack, and a line in each of the
 * two lists. The sources stay as they are: a bundle of them gets the files below instead.
 */

const root = join(import.meta.dirname, '../..')
const source = join(root, 'src')
/** Here node loads the bundle itself, and finds its packages. */
const folder = mkdtempSync(join(root, 'node_modules', '.vitrine-german-'))
const unknown = 'Dazu sagt der Katalog nichts.'

/** The files of the sources that German adds or changes. */
const files = new Map<string, string>()

let house: typeof Answers & typeof Admission & typeof Cells & typeof Columns & typeof Constraints

beforeAll(async () => {
  const german = join(import.meta.dirname, 'german')
  for (const name of readdirSync(german))
    files.set(`language/packs/de/${name}`, readFileSync(join(german, name), 'utf8'))
  edit('language/packs.ts', [
    ['import { turkish }', "import { german } from './packs/de/pack.ts'\nimport { turkish }"],
    ['  tr: turkish,', '  tr: turkish,\n  de: german,'],
  ])
  addTexts()
  const outfile = join(folder, 'house.mjs')
  const modules = [
    'assistant/built_in/local_answers',
    'assistant/finding/admission',
    'assistant/understanding/constraints',
    'change_sets/files/cells',
    'change_sets/files/columns',
  ]
  await build({
    stdin: {
      contents: modules.map((name) => `export * from './domain/${name}.ts'`).join('\n'),
      resolveDir: source,
    },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    plugins: [withFiles],
  })
  cpSync(join(source, 'language/table'), join(folder, 'table'), { recursive: true })
  house = (await import(outfile)) as never
})
afterAll(() => rmSync(folder, { recursive: true }))

const withFiles: Plugin = {
  name: 'german',
  setup(bundle) {
    bundle.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path)
      return files.has(file.slice(source.length + 1)) ? { path: file, namespace: 'german' } : null
    })
    bundle.onLoad({ filter: /./, namespace: 'german' }, ({ path }) => ({
      contents: files.get(path.slice(source.length + 1))!,
      loader: path.endsWith('.json') ? 'json' : 'ts',
      resolveDir: join(path, '..'),
    }))
  },
}

/** The texts are translated as far as the tests below need them. */
function addTexts(): void {
  const german = {
    ...english,
    assistant: { ...english.assistant, unknown },
    importStatuses: { ACTIVE: 'aktiv', INACTIVE: 'inaktiv', DELETED: 'gelöscht' },
  }
  files.set('texts/de/service.json', JSON.stringify(german))
  const fields = {
    ...englishPages.fields,
    sku: 'Artikelnummer',
    stock: 'Bestand',
    tags: 'Schlagwörter',
  }
  files.set('texts/de/pages.json', JSON.stringify({ ...englishPages, fields }))
  edit('texts/languages.ts', [
    ['import tr from', "import de from './de/service.json' with { type: 'json' }\nimport tr from"],
    ["['en', 'tr']", "['en', 'tr', 'de']"],
    ['{ en, tr }', '{ en, tr, de }'],
    [
      '  tr: () =>',
      "  de: () => import('./de/pages.json', { with: { type: 'json' } }),\n  tr: () =>",
    ],
  ])
}

function edit(file: string, changes: readonly [string, string][]): void {
  let text = readFileSync(join(source, file), 'utf8')
  for (const [from, to] of changes) {
    expect(text.split(from)).toHaveLength(2)
    text = text.replace(from, to)
  }
  files.set(file, text)
}

const kettle: PublishedProduct = {
  id: 'prd_1',
  name: 'Linde',
  brand: '',
  description: 'Der Wasserkocher ist aus Edelstahl. Er fasst 1,7 Liter. Er wiegt 900 Gramm.',
  information: 'Der Deckel ist spülmaschinenfest.',
  tags: [],
  stock: 1,
  sales: [],
}
const inEnglish = {
  ...kettle,
  description: 'It is made of stainless steel. It weighs 900 g.',
  information: 'The lid is dishwasher-safe.',
}

const chatOf = (message: string, product: PublishedProduct) => {
  const shop = {
    workspaceId: 'w',
    name: 'Laden',
    sector: 'GENERAL' as const,
    language: 'en' as const,
    ownerPrompt: '',
    contact: { email: null, links: [] },
    synonyms: [],
    knowledge: [],
  }
  const asked = { questions: [], replies: [], history: [], thinkingLevel: 'LOW' as const }
  return { shop, product, message, ...asked }
}

async function ask(message: string, product: PublishedProduct) {
  // What the product at hand answers asks the database for nothing.
  const { response } = await house.answerFromCatalogue(undefined as never, chatOf(message, product))
  return response
}

describe('a third language', () => {
  test('is its texts, a folder, and a line in each of two lists', () => {
    const names = [...files.keys()].sort()
    const changed = names.filter((name) => existsSync(join(source, name)))
    const added = names.filter((name) => !changed.includes(name))
    expect(added).toEqual([
      'language/packs/de/lexicon.json',
      'language/packs/de/pack.ts',
      'texts/de/pages.json',
      'texts/de/service.json',
    ])
    expect(changed).toEqual(['language/packs.ts', 'texts/languages.ts'])
  })

  test.each([
    ['Wie schwer ist der Wasserkocher?', 'Linde: “Er wiegt 900 Gramm.”'],
    ['Aus welchem Material ist er?', 'Linde: “Der Wasserkocher ist aus Edelstahl.”'],
    ['Wie viel fasst der Wasserkocher?', 'Linde: “Er fasst 1,7 Liter.”'],
    ['Passt der Deckel in die Spülmaschine?', 'Linde: “Der Deckel ist spülmaschinenfest.”'],
  ])('answers %s', async (message, response) => {
    expect(await ask(message, kettle)).toBe(response)
  })

  test('says that the catalogue does not know', async () => {
    const chat = chatOf('Wer hat das Etikett entworfen?', kettle)
    expect((await house.answerUnknown(chat, 'de' as never)).response).toBe(unknown)
  })

  test.each([
    ['Wie schwer ist es?', inEnglish, 'Linde: “It weighs 900 g.”'],
    ['Passt der Deckel in die Spülmaschine?', inEnglish, 'Linde: “The lid is dishwasher-safe.”'],
    ['Can I put the lid in the dishwasher?', kettle, 'Linde: “Der Deckel ist spülmaschinenfest.”'],
    ['Bulaşık makinesinde yıkanır mı?', kettle, 'Linde: “Der Deckel ist spülmaschinenfest.”'],
  ])('crosses to the others: %s', async (message, product, response) => {
    expect(await ask(message, product)).toBe(response)
  })

  test('is understood in imported files', () => {
    const columns = ['artikelnummer', 'Bestand', 'Schlagworter', 'STATUS', 'marka', 'name', 'Preis']
    const fields = ['sku', 'stock', 'tags', 'status', 'brand', 'name', null] as const
    expect(house.fieldsOf(columns)).toEqual(fields)
    const source = {
      format: 'csv' as const,
      columns: columns.map((name, index) => ({ name, field: fields[index]! })),
    }
    expect(house.fileRowOf(['A-1', '3', 'Neu', 'GELÖSCHT'], source as never)).toEqual({
      values: { sku: 'A-1', stock: 3, status: 'DELETED' },
      tags: ['Neu'],
    })
  })

  test.each(['ohne Mandeln', 'Ich bin allergisch gegen Mandeln', 'without almonds'])(
    'is understood in demands: %s',
    async (demand) => {
      const nutty = { ...kettle, description: 'Mit Mandelöl und Mandeln.' }
      const without = { ...kettle, description: 'Mit Wolle gefüllt.' }
      const demands = await house.constraintsOf([demand], [])
      expect([...(await house.admittedOf([nutty, without], demands))]).toEqual([without])
    },
  )
})
