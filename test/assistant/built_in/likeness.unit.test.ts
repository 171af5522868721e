import { describe, expect, test } from 'vitest'
import { likenessOf, sayingOf } from '../../../src/domain/assistant/finding/likeness.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'

function likeness(a: string, b: string): string {
  const of = (text: string) => sayingOf(questionOf(text, []), text)
  return likenessOf(of(a), of(b)) ?? 'none'
}

describe('two questions', () => {
  test.each([
    ['Is it noisy?', 'How loud is it?'],
    ['Can I dim it?', 'Is it dimmable?'],
    ['Is it machine washable?', 'Can I wash it in the machine?'],
    ['Can a 10 year old use it?', 'On yaşındaki çocuk kullanabilir mi?'],
    ['Is it resistant to frost?', 'Does it withstand frost?'],
    ['Is a dish washer ok?', 'Can it go in the dishwasher?'],
  ])('surely ask the same: %s, %s', (a, b) => {
    expect([likeness(a, b), likeness(b, a)]).toEqual(['sure', 'sure'])
  })

  test.each([
    ['Does it stain clothes?', 'Does it stain?'],
    ['Numune gönderiyor musunuz?', 'Can I get a sample?'],
    ['Does the thread snap when sewing?', 'Does the thread snap?'],
    ['Does it have a built-in microphone?', 'Mikrofonu var mı?'],
  ])('are likely to ask the same where the first says more: %s, %s', (a, b) => {
    expect([likeness(a, b), likeness(b, a)]).toEqual(['likely', 'within'])
  })

  test.each([
    ['Does it have a hood?', 'Is the hood removable?'],
    ['Is the cover washable?', 'Is the cover waterproof?'],
    ['Is the cover washable?', 'Can I buy another cover?'],
    ['Does a 15 inch laptop fit?', 'Does a 17 inch laptop fit?'],
    ['Does it work in the USA?', 'Is it made in the USA?'],
    ['Where is it made?', 'What is it made of?'],
    ['Does it need breaking in?', 'Does it break easily?'],
    ['Can I mount it on a helmet?', 'Does it come with a helmet?'],
    ['İçinde süt var mı?', 'Sütle mi yenir?'],
  ])('ask something else: %s, %s', (a, b) => {
    expect([likeness(a, b), likeness(b, a)]).toEqual(['none', 'none'])
  })
})
