import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as Answers from '../../src/domain/assistant/built_in/local_answers.ts'
import type * as Admission from '../../src/domain/assistant/finding/admission.ts'
import type * as Constraints from '../../src/domain/assistant/understanding/constraints.ts'
import type { PublishedProduct } from '../../src/queries/catalogue/search/catalogue_search.ts'
import english from '../../src/texts/en/service.json' with { type: 'json' }

/*
 * A copy of the house, to which German is added as CONTRIBUTING.md says: texts, a pack, and a line in
 * each of the two lists.
 */

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vitrine-german-'))
const source = join(folder, 'src')
const unknown = 'Dazu sagt der Katalog nichts.'

let answers: typeof Answers
let admission: typeof Admission
let constraints: typeof Constraints

beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  cpSync(join(root, 'src'), source, {
    recursive: true,
    filter: (path) => !/\/src\/(?:web|surfaces|demo)(?:\/|$)/.test(path),
  })
  cpSync(join(import.meta.dirname, 'german'), join(source, 'language/packs/de'), {
    recursive: true,
  })
  edit('language/packs.ts', [
    ['import { turkish }', "import { german } from './packs/de/pack.ts'\nimport { turkish }"],
    ['  tr: turkish,', '  tr: turkish,\n  de: german,'],
  ])
  addTexts()
  answers = (await import(join(source, 'domain/assistant/built_in/local_answers.ts'))) as never
  admission = (await import(join(source, 'domain/assistant/finding/admission.ts'))) as never
  constraints = (await import(
    join(source, 'domain/assistant/understanding/constraints.ts')
  )) as never
  // Loads a second copy of the modules while other files run.
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** The texts are translated as far as the questions below need them. */
function addTexts(): void {
  const german = { ...english, assistant: { ...english.assistant, unknown } }
  cpSync(join(source, 'texts/en'), join(source, 'texts/de'), { recursive: true })
  writeFileSync(join(source, 'texts/de/service.json'), JSON.stringify(german))
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
  const path = join(source, file)
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of changes) {
    expect(text.split(from)).toHaveLength(2)
    text = text.replace(from, to)
  }
  writeFileSync(path, text)
}

const filesIn = (place: string) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)))

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

async function ask(message: string, product: PublishedProduct) {
  const shop = {
    workspaceId: 'w',
    name: 'Laden',
    sector: 'GENERAL' as const,
    ownerPrompt: '',
    contact: { email: null, links: [] },
    synonyms: [],
  }
  // A question about the product at hand asks the database for nothing.
  const { response } = await answers.answerFromCatalogue(undefined as never, {
    shop,
    product,
    questions: [],
    replies: [],
    message,
    history: [],
    thinkingLevel: 'LOW',
  })
  return response
}

describe('a third language', () => {
  test('is its texts, a folder, and a line in each of two lists', () => {
    const before = new Set(filesIn(join(root, 'src')))
    const added = filesIn(source).filter((file) => !before.has(file))
    const changed = filesIn(source).filter(
      (file) =>
        before.has(file) &&
        !readFileSync(join(source, file)).equals(readFileSync(join(root, 'src', file))),
    )
    expect(added.sort()).toEqual([
      'language/packs/de/lexicon.json',
      'language/packs/de/pack.ts',
      'texts/de/pages.json',
      'texts/de/service.json',
    ])
    expect(changed.sort()).toEqual(['language/packs.ts', 'texts/languages.ts'])
  })

  test.each([
    ['Wie schwer ist der Wasserkocher?', 'Linde: “Er wiegt 900 Gramm.”'],
    ['Aus welchem Material ist er?', 'Linde: “Der Wasserkocher ist aus Edelstahl.”'],
    ['Wie viel fasst der Wasserkocher?', 'Linde: “Er fasst 1,7 Liter.”'],
    ['Passt der Deckel in die Spülmaschine?', 'Linde: “Der Deckel ist spülmaschinenfest.”'],
    ['Wer hat das Etikett entworfen?', unknown],
  ])('answers %s', async (message, response) => {
    expect(await ask(message, kettle)).toBe(response)
  })

  test.each([
    ['Wie schwer ist es?', inEnglish, 'Linde: “It weighs 900 g.”'],
    ['Passt der Deckel in die Spülmaschine?', inEnglish, 'Linde: “The lid is dishwasher-safe.”'],
    ['Can I put the lid in the dishwasher?', kettle, 'Linde: “Der Deckel ist spülmaschinenfest.”'],
    ['Bulaşık makinesinde yıkanır mı?', kettle, 'Linde: “Der Deckel ist spülmaschinenfest.”'],
  ])('crosses to the others: %s', async (message, product, response) => {
    expect(await ask(message, product)).toBe(response)
  })

  test.each(['ohne Mandeln', 'Ich bin allergisch gegen Mandeln', 'without almonds'])(
    'is understood in demands: %s',
    async (demand) => {
      const nutty = { ...kettle, description: 'Mit Mandelöl und Mandeln.' }
      const without = { ...kettle, description: 'Mit Wolle gefüllt.' }
      const demands = await constraints.constraintsOf([demand], [])
      expect([...(await admission.admittedOf([nutty, without], demands))]).toEqual([without])
    },
  )
})
