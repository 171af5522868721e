import { expect, test } from 'vitest'
import type { Turn } from '../../../src/domain/assistant/ai_model.ts'
import { answerFromCatalogue } from '../../../src/domain/assistant/built_in/local_answers.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { smallShop } from './small_shop.ts'

const product = {
  id: 'p',
  name: 'Kil',
  brand: 'Kiln',
  description: '',
  information: '',
  tags: ['Vegan'],
  stock: 3,
  sales: [],
}

/** The answer of a shop whose website is in the language. The product itself has it: no database is asked. */
async function answerIn(language: Language, message: string): Promise<string> {
  const chat = { shop: { ...smallShop, language }, product, message, history: [], questions: [] }
  const { response } = await answerFromCatalogue(undefined as never, {
    ...chat,
    replies: [],
    thinkingLevel: 'LOW',
  })
  return response
}

test.each<[Language, string, string]>([
  ['tr', 'stok', 'Kil: Stokta var.'],
  ['en', 'stok', 'Kil: In stock.'],
  ['tr', 'vegan?', 'Kil: Etiketler: Vegan.'],
  ['en', 'vegan?', 'Kil: Tags: Vegan.'],
  ['tr', 'Is it vegan?', 'Yes. Kil: Tags: Vegan.'],
  ['en', 'Vegan mı?', 'Evet. Kil: Etiketler: Vegan.'],
])('a website in %s answers %s with %s', async (language, message, answer) => {
  expect(await answerIn(language, message)).toBe(answer)
})

test.each(['stok', 'fiyat', 'alkol', 'paraben?', 'vegan?'])(
  '%s alone is asked in the language of the conversation, or else of the website',
  (message) => {
    const tr = { ...smallShop, language: 'tr' as const }
    const before: Turn[] = [{ role: 'visitor', text: 'Is it in stock?' }]
    const languages = [
      questionOf(message, [], tr),
      questionOf(message, [], smallShop),
      questionOf(message, before, tr),
    ].map(({ language }) => language)
    expect(languages).toEqual(['tr', 'en', 'en'])
  },
)
