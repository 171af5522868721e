import { describe, expect, test } from 'vitest'
import { likenessOf } from '../../../src/domain/assistant/finding/likeness.ts'
import { sayingOf } from '../../../src/domain/assistant/finding/sayings.ts'
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
    // Things to choose from ask which it is, and so does what else there is.
    ['Is it oak or beech?', 'What is it made of?'],
    ['Başka rengi var mı?', 'Which colours are there?'],
    ['Is it difficult?', 'Zor mu?'],
    ['When should I prune it?', 'Ne zaman budanır?'],
    ['Does the handle come off?', 'Is the handle removable?'],
    ['Can I use it every day?', 'Her gece kullanılır mı?'],
    ['Can I connect headphones?', 'Kulaklık girişi var mı?'],
    ['When should I plant it?', 'What is the best time to plant it?'],
    ['Sabah akşam kullanılır mı?', 'Can I use it twice a day?'],
    ['Can I apply it morning and evening?', 'Günde iki kez sürülür mü?'],
    ['Is it strong enough for a dog?', 'Is it suitable for dogs?'],
  ])('surely ask the same: %s, %s', (a, b) => {
    expect([likeness(a, b), likeness(b, a)]).toEqual(['sure', 'sure'])
  })

  test.each([
    ['Does it stain clothes?', 'Does it stain?'],
    ['Numune gönderiyor musunuz?', 'Can I get a sample?'],
    ['Does the thread snap when sewing?', 'Does the thread snap?'],
    ['Does it have a built-in microphone?', 'Mikrofonu var mı?'],
    ['Does it shrink in the wash?', 'Does it shrink?'],
    ['How strong is the smell?', 'Does it smell?'],
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
    // What is wet in one only says when.
    ['Is it slippery when wet?', 'Can it get wet?'],
    ['Does it have a bag?', 'Does it fit in a bag?'],
    ['Ne zaman budanmalı?', 'Nasıl budanır?'],
    ['Can I use it under makeup?', 'Does it remove makeup?'],
    ['Is it plastic or wood?', 'Is the box plastic?'],
    ['Is the bottle recyclable?', 'Is the bottle made of glass?'],
    ['Can I use it twice a day?', 'Can I use it three times a day?'],
    ['What is the best time to plant it?', 'What is the best time to prune it?'],
  ])('ask something else: %s, %s', (a, b) => {
    expect([likeness(a, b), likeness(b, a)]).toEqual(['none', 'none'])
  })

  test('share what a number belongs to, though the product is named by it', () => {
    const product = { ...chain, name: 'Chain for 10 Speed' }
    const of = (text: string) => sayingOf(questionOf(text, []), text, product)
    const [asked, replied] = [
      of('Is it compatible with 10 speed?'),
      of('Does it fit a 10-speed bike?'),
    ]
    expect(likenessOf(asked, replied)).toBe('within')
  })
})

const chain = {
  id: 'chain',
  name: 'Chain',
  brand: 'Links',
  description: '',
  information: '',
  tags: [],
  stock: 1,
  sales: [],
}
