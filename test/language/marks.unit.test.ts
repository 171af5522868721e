import { describe, expect, test } from 'vitest'
import { meaningsOfWord } from '../../src/language/lexicon.ts'
import { differByMarks, markedWordsOf } from '../../src/language/marks.ts'
import { strengthOf, wordsIn } from '../../src/domain/assistant/finding/strength.ts'
import { termsOf } from '../../src/domain/assistant/understanding/questions.ts'

describe('marks', () => {
  test('tell words apart where both texts have them', () => {
    const [winter] = termsOf('Kışın kullanılır mı?')
    expect(strengthOf(winter!, wordsIn('İki kişi rahat uyur, çok geniş.'))).toBe(0)
    const [bare] = termsOf('kisin kullanilir mi')
    expect(strengthOf(bare!, wordsIn('Kışın da sıcak tutar.'))).toBeGreaterThan(0.8)
  })

  test('tell meanings apart', () => {
    expect(meaningsOfWord('kisin', 'kışın')).toEqual(meaningsOfWord('kis', 'kış'))
    expect(meaningsOfWord('kisin', 'kişin')).toEqual(meaningsOfWord('kisi', 'kişi'))
  })

  test('are none in a text that is written without them', () => {
    expect(markedWordsOf('Is it warm?')).toBeUndefined()
    expect(markedWordsOf('kisin kullanilir mi')).toBeUndefined()
    expect(markedWordsOf('IŞIK açık mı')).toEqual(['ışık', 'açık', 'mı'])
    expect(markedWordsOf('kâğıdı')).toEqual(['kağıdı'])
  })

  test.each([
    ['kışın', 'kişi', true],
    ['kışın', 'kış', false],
    ['su', 'süt', true],
    ['kapak', 'kapağı', false],
    ['kağıt', 'kağıdı', false],
    [undefined, 'kişi', false],
  ])('%s and %s differ: %s', (a, b, differ) => {
    expect(differByMarks(a, b)).toBe(differ)
  })
})
