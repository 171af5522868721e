import { describe, expect, test } from 'vitest'
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
