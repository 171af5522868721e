import { expect, test } from 'vitest'
import { areForms, isOneLetterOff } from '../../src/language/word_forms.ts'
import { indexOf } from '../../src/language/word_index.ts'
import { wordsOf } from '../../src/language/words.ts'
import english from '../../src/language/packs/en/lexicon/people.json' with { type: 'json' }
import turkish from '../../src/language/packs/tr/lexicon/people.json' with { type: 'json' }

const lines = Object.entries(english)
  .map(([meaning, list]) => `${list} ${turkish[meaning as keyof typeof turkish]}`)
  .join(' ')

const inflected =
  wordsOf(`krem kremi kremler kremlerimiz kapak kapağı kapaklı kapaksız sabun sabunlar sabunu
  sabunluk wash washes washing washed washable dryness dry dries gözlük gözlüğü gözlüklerim kitap kitabı
  ağaç ağacı ağaçtan renk rengi renkler su suyu sular ev eve evler sar sarı sarar sarım sarısabır
  moisturise moisturiser moisturising moisturizes 50ml 500ml ab abc serum serumlar ser serin`)

test('finds exactly the forms that comparing word by word finds', () => {
  const words = [...new Set([...inflected, ...wordsOf(lines).slice(0, 600)])]
  const differing = words.flatMap((word) => {
    const { hasForm } = indexOf([word])
    return words.filter((other) => hasForm(other) !== areForms(other, word))
  })
  expect(differing).toEqual([])
  expect(inflected.filter(indexOf(['kapak', 'washing']).hasForm)).toEqual([
    'kapak',
    'kapagi',
    'kapakli',
    'kapaksiz',
    'wash',
    'washes',
    'washing',
    'washed',
    'washable',
  ])
})

test('finds exactly the misspellings that comparing word by word finds', () => {
  const words = ['niacinamide', 'niacinamid', 'niacinamdie', 'niacinamides', 'xiacinamide', 'krem']
  for (const word of words) {
    const { hasMisspelling } = indexOf([word])
    expect(words.filter(hasMisspelling)).toEqual(
      words.filter((other) => other !== 'krem' && word !== 'krem' && isOneLetterOff(other, word)),
    )
  }
  expect(indexOf(['krem']).hasMisspelling('krm')).toBe(false)
})

test('reads a text once, however many words are looked up in it', () => {
  let reads = 0
  const text = Array.from({ length: 1000 }, (_, index) => `sa${'bcdfghjkl'[index % 9]}${index}x`)
  const counted = new Proxy(text, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  const { hasForm, hasMisspelling } = indexOf(counted)
  for (let index = 0; index < 600; index++) {
    hasForm(`saqzw${'abcdefghij'[index % 10]}`)
    hasMisspelling(`saqzw${'abcdefghij'[index % 10]}`)
  }
  expect(reads).toBe(1000)
})
