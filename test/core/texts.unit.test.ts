import { describe, expect, test } from 'vitest'
import { readContract } from '../../src/core/contract_documents.ts'
import { templates } from '../../src/domain/site/templates.ts'
import { languages, loadPageTexts, type PageTexts } from '../../src/texts/languages.ts'

/** Every text of a language by `section.key`. */
function flat(texts: PageTexts): Map<string, string> {
  const rows = Object.entries(texts).flatMap(([section, messages]) =>
    Object.entries(messages).map(([key, text]) => [`${section}.${key}`, text] as const),
  )
  return new Map(rows)
}

/** The names of a text's placeholders. */
const valuesOf = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')

const { default: english } = await loadPageTexts.en()

describe.each(languages)('the texts of the pages in %s', (language) => {
  test('have the keys of English, none of them empty', async () => {
    const texts = flat((await loadPageTexts[language]()).default)
    expect([...texts.keys()]).toEqual([...flat(english).keys()])
    expect([...texts].filter(([, text]) => text.trim() !== text || text === '')).toEqual([])
  })

  test('take the same values as in English', async () => {
    const texts = flat((await loadPageTexts[language]()).default)
    const different = [...flat(english)].filter(
      ([key, text]) => valuesOf(texts.get(key)) !== valuesOf(text),
    )
    expect(different).toEqual([])
  })
})

test('the pages and the API use the same template names', () => {
  const own = templates.flatMap(({ key, name, description }) => [
    [`${key}.name`, name],
    [`${key}.description`, description],
  ])
  expect(english.templates).toEqual(Object.fromEntries(own))
})

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
}

type Node = Record<string, unknown>

const contract = readContract() as unknown as Node & {
  components: { schemas: Record<string, Schema> }
}

/** The fields of a schema by their paths: `theme.font` for a field of a nested object. */
function pathsIn({ $ref, properties }: Schema): string[] {
  if ($ref !== undefined) {
    const steps = $ref.split('/').slice(1)
    return pathsIn(steps.reduce<Node>((at, step) => at[step] as Node, contract))
  }
  if (!properties) return ['']
  return Object.entries(properties).flatMap(([name, part]) =>
    pathsIn(part).map((path) => (path === '' ? name : `${name}.${path}`)),
  )
}

test('the list of what was changed has a label for each field that owners set', () => {
  const schemas = ['WebsiteUpdate', 'AiSettings', 'DomainUpdate', 'WebhookUpdate']
  // Neither is told: an id says nothing, and an address is part of the name.
  const unnamed = ['logoImageId', 'url']
  const paths = schemas.flatMap((name) => pathsIn(contract.components.schemas[name]!))
  const labels = Object.keys(english.fields)
  expect(paths.filter((path) => !labels.includes(path) && !unnamed.includes(path))).toEqual([])
})
