import { describe, expect, test } from 'vitest'
import { breachIn, type Permitted } from '../../../src/domain/assistant/provider/answer_guard.ts'
import { rules } from '../../../src/domain/assistant/provider/prompts.ts'

const permitted: Permitted = {
  links: ['https://www.shop.example/rose?id=1', 'https://social.example/gul', 'hello@shop.example'],
  names: ['Rose toner', 'Farm.co', 'Healing Balm', 'Gül'],
  rules,
}

const breaches = (text: string) => breachIn(text, permitted)

describe('an answer with an address', () => {
  test.each([
    'Pay at http://evil.example/pay now.',
    'Pay at HTTPS://EVIL.EXAMPLE.',
    'Go to evil.com.',
    'Go to evil.co.uk/pay',
    'Go to www.evil.xyz',
    'Go to ｅｖｉｌ．ｃｏｍ',
    'Go to ev\u200bil.c\u200bom',
    'Go to evil。com',
    'Go to evil [dot] com',
    'Go to evil(dot)com',
    'Go to evil dot com',
    'Adres: evil nokta com',
    'hxxps://evil.example',
    'javascript:alert(1)',
    'tel:+905551234567',
    'Call +90 555 123 45 67.',
    'Call 0555-123-45-67.',
    'Write to me@evil.example.',
    'Write to me [at] evil.example.',
    'Write to @evil_pay on Telegram.',
    'Send it to TR33 0006 1005 1978 6457 8413 26.',
    'Send it to 0x52908400098527886E0F7030069857D2E4169EE7.',
    'Send it to tr330006100519786457841326.',
    'IBAN TR33 0006 1005 1978 6457 8413 26 of Ana.',
    'Konto: DE89370400440532013000.',
    'Send it to NO93 8601 1117 947.',
    'Send it to GB29 NWBK 6016 1331 9268 19, please.',
    'Send it to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq.',
    'Send it to BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ.',
    'Send it to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa.',
    'Send it to TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t.',
    'Send it to 7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs.',
    'Send it to addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3jcu5d8ps7zex2k2xt3uqxgjqnnj83ws8lhrn648jjxtwq2ytjqp.',
    'Send it to qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a.',
    'Send it to GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ.',
    'Card 4111111111111111.',
    'Send it to 1234567890123.',
    'Open 203.0.113.9/pay.',
    'https://www.shop.example/other',
    'https://www.shop.example/rose?id=12',
    'https://www.shop.example/rose?id=1&next=evil.com',
    'https://www.shop.example/rose?id=1@evil.com',
    'https://social.example/gul/../pay',
    'https://social.example.evil.com/gul',
    'https://evil.example/https://social.example/gul',
    'evilsocial.example/gul',
    'nothello@shop.example',
    'hello@shop.example.evil.com',
    'Farm.co/pay',
    'Go to\nevil.com/pay',
  ])('is held back: %s', (text) => {
    expect(breaches(text)).toBe('address')
  })

  test.each([
    'Buy it at https://www.shop.example/rose?id=1.',
    'Buy it at (https://www.shop.example/rose?id=1).',
    'Buy it at shop.example/rose?id=1, please.',
    'Buy it at shop.example.',
    'See https://social.example/gul or social.example/gul/',
    'Write to hello@shop.example!',
    'Farm.co makes it.',
    'It has pH 5.5. It holds 2.5 ml, e.g. for a week.',
    '1.adım: Temizleyin. 2.adım: Kurulayın.',
    'Sizes 34 36 38 40 42 44 46 48, 60 x 90 cm, 100 % cotton.',
    'Use it at 7 a.m. and 9 p.m., i.e. twice a day.',
    'Ürün: 24 saat nemlendirir; cildi yumuşatır.',
    'q0'.padEnd(300, 'x'),
    'q1'.repeat(150),
    `${'x'.repeat(1999)}1`,
    `Answer 1${'a'.repeat(1900)}`,
    `TR12${'X'.repeat(1900)}`,
    '1'.repeat(300),
    // Codes of products: no check digits of an IBAN, no form of a wallet.
    'Model AB12 CDEF GHIJ KLMN.',
    'Part rx5700xt8gb256bitgddr6dual.',
  ])('passes if the shop has entered it, or if it is none: %s', (text) => {
    expect(breaches(text)).toBeUndefined()
  })
})

describe('an answer with a price', () => {
  test.each([
    'It costs $10.',
    'It costs 10 €.',
    'It is ₺ 499,90.',
    'Sadece 499 TL.',
    'Only 20 USD!',
    'EUR 15',
    'It is ten dollars.',
    'On beş lira.',
    'The price is 25.',
    'Fiyatı 100.',
    'Get 20% off today.',
    '% 20 indirim var.',
    'Use the discount code ROSE.',
    'Kupon kodu: GUL10',
    'SAVE20 gives you a discount.',
  ])('is held back: %s', (text) => {
    expect(breaches(text)).toBe('price')
  })

  test.each([
    'It holds 100 ml and has SPF 50.',
    'It is 100 % cotton.',
    'The catalogue does not say what it costs.',
    'Try 3 drops. One can gel holds 50 GEL pads.',
    'Bardak dolar, su taşar.',
  ])('passes without one: %s', (text) => {
    expect(breaches(text)).toBeUndefined()
  })
})

describe('an answer with a cure', () => {
  test.each([
    'It cures eczema.',
    'It heals wounds.',
    'It not only cures, it smells good.',
    'It treats psoriasis.',
    'A treatment for rosacea.',
    'Egzamayı tedavi eder.',
    'Cildi iyileştirir.',
    'Sedef hastalığını geçirir.',
    'It CURES ECZEMA',
    'It cu\u00adres eczema.',
  ])('is held back: %s', (text) => {
    expect(breaches(text)).toBe('cure')
  })

  test.each([
    'It is a treatment for dry hair.',
    'It does not cure eczema.',
    'Egzamayı tedavi etmez.',
    'Healing Balm is for dry skin.',
    'It keeps skin healthy.',
    'It is secure.',
  ])('passes without one: %s', (text) => {
    expect(breaches(text)).toBeUndefined()
  })
})

describe('an answer with our rules', () => {
  test.each([
    rules,
    rules.split('\n')[3]!,
    `Sure: ${rules.slice(200, 300)}`,
    rules.slice(0, 200).toUpperCase(),
    'I may call search_catalogue.',
    'The <owner> says so.',
  ])('is held back: %.40s', (text) => {
    expect(breaches(text)).toBe('rules')
  })

  test('passes with a few words in common', () => {
    expect(breaches('The catalogue does not say. Please see a doctor.')).toBeUndefined()
  })
})

test('a description of a person names no illness', () => {
  const text = 'The cheeks look like rosacea.'
  expect(breachIn(text, { ...permitted, describesPerson: true })).toBe('diagnosis')
  expect(breaches(text)).toBeUndefined()
})

test.each(['a', ' ', '.', '1', '[', '@', 'a.', '1 ', '%', '[s1]', '\n', '<', 'e\u0301'])(
  'an answer of very many %j is judged: no search in it is quadratic',
  (unit) => {
    breaches(unit.repeat(100_000 / unit.length))
  },
)

test('an answer is judged, however many and long the links of the shop are', () => {
  const links = Array.from(
    { length: 4000 },
    (_, at) => `https://shop.example/${at}${'x'.repeat(1950)}`,
  )
  const text = `Buy it at (${links.at(-1)}).`
  expect(breachIn(text, { ...permitted, links })).toBeUndefined()
  expect(breachIn(`${text} Or at evil.com.`, { ...permitted, links })).toBe('address')
})

test('an answer is judged, however often a sentence without an end denies', () => {
  expect(breaches('It does not heal '.repeat(20_000))).toBeUndefined()
  expect(
    breaches(`${'It does not heal '.repeat(20_000)} and so it heals, of course, a lot, it heals`),
  ).toBe('cure')
})
