import { describe, expect, test } from 'vitest'
import {
  citedSentences,
  keptText,
  withoutMarks,
} from '../../../src/domain/assistant/provider/cited_text.ts'
import { createSources, piecesOf } from '../../../src/domain/assistant/provider/sources.ts'
import type { PublishedProduct } from '../../../src/queries/catalogue/search/catalogue_search.ts'

function product(id: string, name: string, description: string): PublishedProduct {
  const nothing = { brand: 'Ana', information: '', tags: [], stock: 1, sales: [] }
  return { ...nothing, id, name, description }
}

const rose = product('prod_rose', 'Rose water', 'Smells of roses. It is vegan.')
const lily = product('prod_lily', 'Lily water 200 ml', 'Smells of lilies.')

/** Rose is p1 with s1 and s2, lily p2 with s3. */
function shown(shopMarks = ['shop', 'owner']) {
  const sources = createSources('', shopMarks)
  for (const each of [rose, lily]) sources.show(each, 5_000)
  return sources
}

const smell = { productId: 'prod_rose', sentence: 'Smells of roses.' }
const vegan = { productId: 'prod_rose', sentence: 'It is vegan.' }
const lilies = { productId: 'prod_lily', sentence: 'Smells of lilies.' }

describe('an answer about a product', () => {
  const kept = (text: string) => keptText(text, shown(), { productId: rose.id })

  test.each([
    ['It is vegan [s2].', 'It is vegan.', [vegan]],
    ['It is vegan. [s2]', 'It is vegan.', [vegan]],
    ['It is vegan【s2】.', 'It is vegan.', [vegan]],
    ['It is vegan [S2][s1].', 'It is vegan.', [vegan, smell]],
    ['It is vegan [s2, s1] and smells [s1].', 'It is vegan and smells.', [vegan, smell]],
    ['It is in stock [p1].', 'It is in stock.', []],
    ['Write to the shop [shop]. Ask for Ece [owner].', 'Write to the shop. Ask for Ece.', []],
    ['It is vegan [s2]. It is blue.', 'It is vegan.', [vegan]],
    ['It is blue. It is vegan [s2].', 'It is vegan.', [vegan]],
    ['It is blue.', '', []],
    ['It is blue [s9]. It is red [p7]. It is green [1]. It is grey [x].', '', []],
    [
      '- It is vegan [s2]\n- It is blue\n- It smells [s1]',
      '- It is vegan\n- It smells',
      [vegan, smell],
    ],
    ['It smells, approx., of roses [s1].', 'It smells, approx., of roses.', [smell]],
  ])('keeps what is cited: %s', (text, rest, citations) => {
    expect(kept(text)).toEqual({ text: rest, citations })
  })

  test.each([
    ['It smells of lilies [s3].', '', []],
    ['Rose water smells of lilies [s3].', '', []],
    ['Lily water smells of roses [s1].', '', []],
    ['Lily water smells of lilies [s3].', 'Lily water smells of lilies.', [lilies]],
    [
      'Lily water is another [p2]. It smells of lilies [s3]. It is vegan [s2].',
      'Lily water is another. It smells of lilies.',
      [lilies],
    ],
    [
      'Lily water is another [p2]. Rose water is vegan [s2].',
      'Lily water is another. Rose water is vegan.',
      [vegan],
    ],
  ])('says of no product what stands in another: %s', (text, rest, citations) => {
    expect(kept(text)).toEqual({ text: rest, citations })
  })

  test.each([
    ['Rose water heals [owner]. Lily water, too [shop].', ['shop', 'owner'], ''],
    ['Rose water is vegan [s2, owner].', ['owner'], 'Rose water is vegan.'],
    ['Write to the shop [shop]. Ask for Ece [owner].', ['shop'], 'Write to the shop.'],
    ['Write to the shop [shop]. Ask for Ece [owner].', [], ''],
  ])('rests on what the shop says only of itself, and if it does: %s', (text, marks, rest) => {
    expect(keptText(text, shown(marks), { productId: rose.id }).text).toBe(rest)
  })

  test('has no marks left, whole or broken up', () => {
    expect(withoutMarks('ev[s1]il.c[p1, s2]om [owner]')).toBe('evil.com')
    expect(citedSentences('A [s1]. B').map(({ text }) => text)).toEqual(['A. ', 'B'])
  })
})

describe('the text that is shown to a model', () => {
  test('is cut into verbatim pieces', () => {
    const list = Array.from({ length: 80 }, (_, n) => `ingredient ${n}`).join(', ')
    const pieces = piecesOf(`First. Second!\nThird\n---\n${list}`)
    expect(pieces.slice(0, 3)).toEqual(['First.', 'Second!', 'Third'])
    expect(pieces.slice(3).join(' ')).toBe(list)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(400)
  })

  test('is cut between characters, none of which is halved', () => {
    const signs = `x${'𠮷'.repeat(450)}`
    const pieces = piecesOf(`${signs}, and more.`)
    expect(pieces.map(({ length }) => length)).toEqual([399, 400, 113])
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
    expect(pieces.join(' ').replaceAll('𠮷 𠮷', '𠮷𠮷')).toBe(`${signs}, and more.`)
  })

  test('is shown once, and marks are never reused', () => {
    const sources = shown()
    expect(sources.show(rose, 5_000)).toEqual(sources.show(rose, 5_000))
    expect(sources.products()).toEqual([rose, lily])
    expect(sources.citationOf('s3')).toEqual(lilies)
    expect(sources.isKnown('s4')).toBe(false)
  })

  test('is only a name where there is little space, and nothing where there is none', () => {
    const sources = createSources('', [])
    expect(sources.show(rose, 80)).toEqual({ id: 'prod_rose', mark: 'p1', name: 'Rose water' })
    expect(sources.show(lily, 20)).toBeUndefined()
    expect(sources.isKnown('p2')).toBe(false)
  })
})
