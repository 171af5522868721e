import { afterEach, describe, expect, test, vi } from 'vitest'
import { citedSentences, keptText } from '../../../src/domain/assistant/provider/cited_text.ts'
import { followAnswer } from '../../../src/domain/assistant/provider/followed_answer.ts'
import { createSources } from '../../../src/domain/assistant/provider/sources.ts'

afterEach(() => vi.restoreAllMocks())

const product = {
  id: 'prod_rose',
  name: 'Rose water',
  brand: 'Ana',
  description: 'Smells of roses. It is vegan.',
  information: '',
  tags: [],
  stock: 1,
  sales: [],
}

function sources() {
  const shown = createSources('', [])
  shown.show(product, 5_000)
  return shown
}

/** What is said of an answer that arrives in parts of so many characters. */
function saidOf(answer: string, step: number): string {
  let said = ''
  const follow = followAnswer({
    words: { say: (text) => void (said += text), again: () => void (said = '') },
    sources: sources(),
    subject: { productId: product.id },
    breachIn: () => undefined,
  })
  for (let end = step; end < answer.length + step; end += step)
    follow({ response: answer.slice(0, end) })
  return said
}

/** Counts the characters that are divided into sentences. */
function countSegmented(): () => number {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  return () => segment.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
}

describe('an answer that is followed while it grows', () => {
  const answer = [
    'It is vegan [s2]. It smells of roses. [s1] It is blue. "It smells!" [s1, s2] Use approx. 3 drops',
    '- It is vegan【s2】\n- It is red\n\nIt smells of roses [s1][s2]. And that is all [p1]. The rest',
  ].join(' [s1]. ')

  test.each([1, 2, 7, 50])('says what is kept of the whole, by %s characters', (step) => {
    const whole = keptText(answer.slice(0, answer.lastIndexOf('The rest')), sources(), {
      productId: product.id,
    })
    const said = saidOf(`${answer} of it is silence`, step)
    expect(said).toBe(whole.text)
  })

  test('knows where in the answer each sentence ends', () => {
    const ends = citedSentences(answer).map(({ end }) => end)
    for (const end of ends)
      expect(
        [...citedSentences(answer.slice(0, end)), ...citedSentences(answer.slice(end))].map(
          ({ text, marks }) => ({ text, marks }),
        ),
      ).toEqual(citedSentences(answer).map(({ text, marks }) => ({ text, marks })))
    expect(ends.at(-1)).toBe(answer.length)
  })

  test('is divided into sentences once, and not again for each word', () => {
    const long = 'It is vegan and smells of roses [s1]. '.repeat(500)
    const segmented = countSegmented()
    saidOf(long, 4)
    expect(segmented()).toBeLessThan(20 * long.length)
  })

  test('is not read for each word of a sentence without end', () => {
    const endless = 'and it smells of roses '.repeat(1000)
    const segmented = countSegmented()
    saidOf(endless, 4)
    expect(segmented()).toBeLessThan(20 * endless.length)
  })

  test('is not read again while the steps of a routine follow it', () => {
    const follow = followAnswer({
      words: { say: () => undefined, again: () => undefined },
      sources: sources(),
      subject: {},
      breachIn: () => undefined,
    })
    follow({ response: answer })
    const segmented = countSegmented()
    for (let token = 0; token < 1000; token++) follow({ response: answer, steps: [token] })
    expect(segmented()).toBe(0)
  })
})
