import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { paginationOf } from '../../src/core/paging.ts'
import {
  identityKeyOf,
  identityTextOf,
  likePatternOf,
  searchTextOf,
  showsNothing,
  slugOf,
  turkicKeyOf,
  suffixedSlug,
} from '../../src/core/text.ts'

describe('searchTextOf', () => {
  test.each([
    ['GÜL Suyu', 'gül suyu'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['GROẞE', 'grosse'],
    ['DİYARBAKIR', 'diyarbakir'],
    ['diyarbakır', 'diyarbakir'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['МОСКВА', 'москва'],
    ['ＡＢＣ　１２', 'abc 12'],
    ['ﬁne', 'fine'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['深圳', '深圳'],
  ])('folds %s to %s', (text, folded) => {
    expect(searchTextOf(text)).toBe(folded)
  })
})

const formsOf = (text: string) => [text.toLowerCase(), text.toUpperCase(), text.normalize('NFD')]

/** Every character that has another case or composition. */
const letters = lettersOfUnicode()

function lettersOfUnicode(): string[] {
  const hasForms = (text: string) => formsOf(text).some((form) => form !== text)
  const found: string[] = []
  const blockSize = 0x100
  for (let first = 0; first <= 0x10ffff; first += blockSize) {
    if (first >= 0xd800 && first <= 0xdfff) continue
    const block = Array.from({ length: blockSize }, (_, at) => String.fromCodePoint(first + at))
    // Most blocks have no letter with another form, and need not be asked letter by letter.
    if (hasForms(block.join(''))) found.push(...block.filter(hasForms))
  }
  return found
}

describe('letters', () => {
  test('of every script fold to the same text in either case and composition', () => {
    const different = letters.filter((letter) =>
      formsOf(letter).some((form) => searchTextOf(form) !== searchTextOf(letter)),
    )
    expect(letters.length).toBeGreaterThan(15_000)
    expect(different).toEqual([])
  })
})

describe('likePatternOf', () => {
  test.each([
    ['rose', '%rose%'],
    ['50%', '%50\\%%'],
    ['a_b', '%a\\_b%'],
    ['a\\b', '%a\\\\b%'],
    ['５０％', '%50\\%%'],
    ['ＡＢ＿', '%ab\\_%'],
  ])('matches %s literally', (search, pattern) => {
    expect(likePatternOf(search)).toBe(pattern)
  })
})

describe('identityKeyOf', () => {
  test.each([
    ['case', 'Rose Oil', 'ROSE oil'],
    ['outer spaces', 'Rose Oil', '  Rose Oil\t'],
    ['inner spaces', 'Rose Oil', 'Rose \u00a0\u3000 Oil'],
    ['full width', 'Rose Oil 5', 'Ｒｏｓｅ　Ｏｉｌ　５'],
    ['sharp s', 'Straße', 'STRASSE'],
    ['capital sharp s', 'Straße', 'STRAẞE'],
    ['the place of a dot', 'İpek', 'i\u0307pek'],
    ['composition', 'Caf\u00e9', 'Cafe\u0301'],
    ['ligatures', 'ﬁne', 'FINE'],
    ['final sigma', 'οδος', 'ΟΔΟΣ'],
    ['what is not shown', 'Rose Oil', 'Ro\u200bse\u00ad Oi\u2060l\ufe0f'],
  ])('is the same regardless of %s', (_what, one, other) => {
    expect(identityKeyOf(other).equals(identityKeyOf(one))).toBe(true)
  })

  test.each([
    ['Rose', 'Rosé'],
    ['Rose Oil', 'RoseOil'],
    ['Rose-Oil', 'Rose Oil'],
    ['5', '05'],
    ['Kır', 'Kir'],
    ['IŞIK', 'ışık'],
    ['İpek', 'ipek'],
    ['İpek', 'ıpek'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(identityKeyOf(other).equals(identityKeyOf(one))).toBe(false)
  })
})

describe('turkicKeyOf', () => {
  test.each([
    ['Gül Yağı', 'GÜL YAĞI'],
    ['çiçeği', 'ÇİÇEĞİ'],
    ['IŞIK', 'ışık'],
    ['İpek', 'ipek'],
    ['İpek', 'i\u0307pek'],
    ['Straße sıkı', 'STRASSE SIKI'],
    ['sıkı', 'S\u200bI\u00adKI'],
  ])('joins %s and %s', (one, other) => {
    expect(turkicKeyOf(other)).toEqual(turkicKeyOf(one))
  })

  test.each([
    ['Kır', 'Kir'],
    ['KIR', 'kir'],
    ['Açık', 'Açik'],
    ['Ilık', 'İlik'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(turkicKeyOf(other)).not.toEqual(turkicKeyOf(one))
  })

  test('is left out where the first key says as much', () => {
    expect([turkicKeyOf('8690000000012'), turkicKeyOf('Rose')]).toEqual([null, null])
  })
})

/** What CaseFolding.txt maps to several letters, beside compatible forms such as ligatures. */
const severalLetters: [string, string][] = [
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['İ', 'i\u0307'],
  ['ŉ', '\u02bcn'],
  ['ǰ', 'j\u030c'],
  ['ΐ', 'ι\u0308\u0301'],
  ['ΰ', 'υ\u0308\u0301'],
  ['և', 'եւ'],
  ['ẖ', 'h\u0331'],
  ['ẗ', 't\u0308'],
  ['ẘ', 'w\u030a'],
  ['ẙ', 'y\u030a'],
  ['ẚ', 'aʾ'],
  ['ὐ', 'υ\u0313'],
  ['ᾀ', 'ἀι'],
  ['ᾈ', 'ἀι'],
  ['ᾲ', 'ὰι'],
  ['ᾳ', 'αι'],
  ['ᾼ', 'αι'],
  ['ᾷ', 'α\u0342ι'],
  ['ῒ', 'ι\u0308\u0300'],
  ['ῤ', 'ρ\u0313'],
  ['ῼ', 'ωι'],
  ['ﬃ', 'ffi'],
  ['ﬅ', 'st'],
  ['ﬓ', 'մն'],
]

describe('identityTextOf', () => {
  test.each(severalLetters)('folds %s to %s', (letter, folded) => {
    expect(identityTextOf(letter)).toBe(folded.normalize('NFKC'))
  })

  test('joins and separates the letters of every script as Unicode does', () => {
    const wrong = letters.filter((letter) => {
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
      const others = [lower, upper, upper.toLowerCase(), lower.toUpperCase()].filter(
        (form) => form !== letter && [...form].length === 1,
      )
      // Regular expressions compare by CaseFolding, too: what it maps to one letter.
      const same = (other: string) => new RegExp(`^${letter}$`, 'iu').test(other)
      return others.some((other) => same(other) !== equal(letter, other))
    })
    expect(wrong).toEqual([])
  })
  const equal = (one: string, other: string) => identityTextOf(one) === identityTextOf(other)

  test('puts marks in order that an ignorable character kept apart', () => {
    expect(equal('\u0345\u{e0000}\u0307', '\u0345\u0307')).toBe(true)
  })

  test('tells apart all that a search does', () => {
    const letters = fc.constantFrom(
      ...'iıIİsßẞςσΣᾳι\u0307\u0301\u0323 ﬁkK漢'.normalize('NFD'),
      '\u0345',
    )
    // The library's own strings of any character index all of Unicode first.
    const anyCharacter = fc
      .integer({ min: 0, max: 0x10ffff })
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
    const text = fc.string({ unit: fc.oneof(letters, anyCharacter) })
    fc.assert(
      fc.property(text, (value) => {
        const shown = value.normalize('NFKC').replaceAll(/\p{DI}/gu, '')
        const searched = searchTextOf(shown).trim().replace(/\s+/gu, ' ')
        expect(searchTextOf(identityTextOf(value)).trim()).toBe(searched)
      }),
      { seed: 2_076_731_607, numRuns: 1000 },
    )
  })
})

describe('slugOf', () => {
  test.each([
    ['深圳 茶', 'shenzhen-cha'],
    ['Москва', 'moskva'],
    ['Şişli Çağrı IĞDIR ılık İpek', 'sisli-cagri-igdir-ilik-ipek'],
    ['شاي أخضر', 'shy-khdr'],
    ['Straße & Söhne', 'strasse-sohne'],
    ['ＡＢＣ　１２', 'abc-12'],
    ['  --Rose__Oil!!  ', 'rose-oil'],
  ])('writes %s as %s', (name, slug) => {
    expect(slugOf(name, 'product')).toBe(slug)
  })

  test('uses the fallback if no letter or digit is left', () => {
    expect(slugOf('***', 'collection')).toBe('collection')
  })

  test('truncates at 120 characters and leaves no trailing hyphen', () => {
    expect(slugOf('b'.repeat(500), 'product')).toBe('b'.repeat(120))
    expect(slugOf(`${'b'.repeat(119)} c`, 'product')).toBe('b'.repeat(119))
    expect(slugOf('茶'.repeat(500), 'product')).toHaveLength(120)
  })
})

describe('suffixedSlug', () => {
  test('adds the random end of the id and stays within 120 characters', () => {
    const id = newId('prod')
    expect(suffixedSlug('rose', id)).toBe(`rose-${id.slice(-8)}`)
    expect(suffixedSlug('b'.repeat(120), id)).toBe(`${'b'.repeat(111)}-${id.slice(-8)}`)
    expect(suffixedSlug(`${'b'.repeat(110)}-${'c'.repeat(9)}`, id)).toBe(
      `${'b'.repeat(110)}-${id.slice(-8)}`,
    )
  })
})

describe('paginationOf', () => {
  const page = (number: number, limit: number, total: number) => {
    const { totalPages, hasNextPage, hasPreviousPage } = paginationOf(number, limit, total)
    return [totalPages, hasNextPage, hasPreviousPage]
  }

  test.each([
    ['an empty list', page(1, 20, 0), [0, false, false]],
    ['one full page', page(1, 20, 20), [1, false, false]],
    ['the first of two pages', page(1, 20, 21), [2, true, false]],
    ['the last of two pages', page(2, 20, 21), [2, false, true]],
    ['a page beyond the last', page(9, 20, 21), [2, false, true]],
    ['a page beyond an empty list', page(2, 20, 0), [0, false, false]],
  ])('has the right neighbours for %s', (_what, actual, expected) => {
    expect(actual).toEqual(expected)
  })

  test('repeats page, limit and total', () => {
    expect(paginationOf(3, 7, 30)).toMatchObject({ page: 3, limit: 7, total: 30 })
  })
})

describe('showsNothing', () => {
  test.each([
    '',
    ' \t\n',
    '\u00a0\u3000',
    '\u200b\ufeff',
    '\u202e\u2066',
    '\u2800',
    '\u3164\u034f',
    '\u0301',
    ' \u0308\u20e3',
    '\ue000\u{10fffd}',
  ])('is true of %j', (text) => {
    expect(showsNothing(text)).toBe(true)
  })
  test.each(['a', ' ı ', '\u200b.', '😀', '👩\u200d🔬', 'م\u200f', 'e\u0301', '❤\ufe0f', '🇹🇷'])(
    'is false of %j',
    (text) => {
      expect(showsNothing(text)).toBe(false)
    },
  )
})
