import { describe, expect, test } from 'vitest'
import { needsAsked, suitedIn } from '../../src/language/needs.ts'

const read = (text: string) => {
  const { to, notTo, toAll } = suitedIn([text])
  return { to: [...to], notTo: [...notTo], toAll: [...toAll] }
}

describe('a product', () => {
  test.each([
    ['A rich cream for dry skin.', 'dry_skin'],
    ['Kuru, hassas ciltler için.', 'dry_skin sensitive_skin'],
    ['For normal to very dry skin', 'dry_skin normal_skin'],
    ['Normalden kuruya dönük ciltler için', 'dry_skin normal_skin'],
    ['Cilt tipi: Kuru, Karma', 'dry_skin combination_skin'],
    ['Skin type: oily', 'oily_skin'],
    ['For those whose skin is dry.', 'dry_skin'],
    ['Cildi kuru olanlar için.', 'dry_skin'],
    ['Does not dry out dry skin.', 'dry_skin'],
    ['Hassas cildi sakinleştirir.', 'sensitive_skin'],
    ['Not only for dry skin.', 'dry_skin'],
    ['Ciltteki kuruluğu giderir', 'dry_skin'],
    ['Yağlanan saç derisi için.', 'oily_hair'],
    ['İnce telli saçlara hacim verir.', 'fine_hair'],
    ['Kışın kar oyunları için.', 'winter'],
    ['A light blanket for summer.', 'summer'],
  ])('says what it is for: %s', (text, needs) => {
    expect(read(text)).toEqual({ to: needs.split(' '), notTo: [], toAll: [] })
  })

  test.each([
    'Mat Ruj Gül Kurusu. Cilde yakışır.',
    'Kuru şampuan, saç için.',
    'Serin ve kuru yerde saklayın, cilde sürün.',
    'Dry clean only. Kind to the skin.',
    'Apply to clean, dry skin.',
    'Massage into dry hair.',
    'Temiz ve kuru cilde uygulayın.',
    'Yağlı his bırakmadan cildi nemlendirir.',
    'Leaves no oily residue on the skin.',
    'Zeytinyağlı sabun, cilt için.',
    'A wool rug in winter white.',
    'Gece mavisi, kış beyazı.',
    'Kışın dolapta saklayın.',
    'It suits every skin tone.',
  ])('is for nothing because a word means something else: %s', (text) => {
    expect(read(text)).toEqual({ to: [], notTo: [], toAll: [] })
  })

  test.each([
    ['Not suitable for dry skin.', '', 'dry_skin'],
    ['Kuru ciltler için uygun değildir.', '', 'dry_skin'],
    ['Kuru ciltler için uygundur, yağlı ciltlere önerilmez.', 'dry_skin', 'oily_skin'],
    ['Great for dry skin; avoid on oily skin.', 'dry_skin', 'oily_skin'],
    ['Not for dry or sensitive skin.', '', 'dry_skin sensitive_skin'],
    ['Too heavy for fine hair.', '', 'fine_hair'],
    ['Yağlı ciltlerde sivilceye yol açabilir.', '', 'oily_skin'],
    ['Kışın yeterince sıcak tutmaz.', '', 'winter'],
    ['Kışlık değildir.', '', 'winter'],
    ['Not for outdoor use.', '', 'outdoors'],
  ])('says what it is not for: %s', (text, needs, others) => {
    const listed = (list: string) => list.split(' ').filter(Boolean)
    expect(read(text)).toMatchObject({ to: listed(needs), notTo: listed(others) })
  })

  test.each([
    ['For all skin types except dry.', ['dry_skin']],
    ['Kuru ciltler hariç her cilt tipine uygundur.', ['dry_skin']],
    ['Tüm cilt tipleri için.', []],
  ])('is for all but what it excepts: %s', (text, notTo) => {
    expect(read(text)).toEqual({ to: [], notTo, toAll: ['skin', 'sensitivity'] })
  })
})

describe('a visitor', () => {
  test.each([
    ['Kuru cilt için ürün öner', 'dry_skin'],
    ['Cildim çok kuru', 'dry_skin'],
    ['My face gets very oily', 'oily_skin'],
    ['I have dry, itchy skin', 'dry_skin'],
    ['Saçım yağlanıyor', 'oily_hair'],
    ['Saç diplerim yağlı', 'oily_hair'],
    ['Yağlı', 'oily_skin'],
    ['Combination to oily', 'oily_skin combination_skin'],
    ['Cildim kuru değil, yağlı', 'oily_skin'],
    ['My skin is not oily but dry', 'dry_skin'],
    ['Something that is not for dry skin', ''],
    ["My skin isn't dry", ''],
    ['A dry shampoo', ''],
    ['Kuru temizleme olur mu?', ''],
    ['A rug in winter white', ''],
    ['Bu kış ne giysem?', 'winter'],
    ['Bana yazın', ''],
    ['Bir bahçe sandalyesi, dış mekan için', 'outdoors'],
  ])('asks for what is needed: %s', (text, needs) => {
    expect([...needsAsked(text).wanted]).toEqual(needs.split(' ').filter(Boolean))
  })
})

test('a text without an end is read in linear time', () => {
  // Each mention would read all of the text again: hours.
  const text = 'not for dry skin, apply to dry skin, except dry, '.repeat(4000)
  expect(read(text).notTo).toEqual(['dry_skin'])
  expect([...needsAsked(text).wanted]).toEqual([])
})
