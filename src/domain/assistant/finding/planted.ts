import { patternSource, wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'

/*
 * Text in a product that is not about the product: it addresses the assistant or asks for money. It may
 * have been planted, so it is never quoted, whatever is asked.
 */

const addresses = [
  /https?:|www\.|\w-*\.(?:com|net|org|info|biz|shop|store|site|online|example|io|co|tr|me|xyz|link|app)\b/,
  /[\w.+-]@[\w-]+\.\w/,
  // IBANs, and numbers that can be called or paid to.
  /\b[a-z]{2}\d{2}(?: ?\w{4}){3,}/,
  /(?:\+|\b0)\d{3}[ .-]?\d{3}[ .-]?\d{2}/,
]

/** Languages mix in codes and prompts: "promo kodu", "system mesajı". */
const offers = wordSource(({ planted }) => planted.offers)
const code = wordSource(({ planted }) => planted.code)
const money = new RegExp(
  [
    `\\b(?:${offers})\\w*(?: \\w+)?[ :]*(?:${code})`,
    `\\b(?:${code})\\b ?:? ?[a-z]*\\d`,
    patternSource(({ planted }) => planted.money),
  ].join('|'),
)
const system = wordSource(({ planted }) => planted.system)
const prompt = wordSource(({ planted }) => planted.prompt)
const commands = new RegExp(
  [`\\b(?:${system}) ?(?:${prompt}|:)`, patternSource(({ planted }) => planted.commands)].join('|'),
)

/** Whether a sentence of a product must not be quoted. */
export function looksPlanted(sentence: string): boolean {
  const text = foldedText(sentence)
  return addresses.some((pattern) => pattern.test(text)) || demands(text)
}

/** Whether a folded text asks for money or addresses the assistant. */
const demands = (text: string): boolean => money.test(text) || commands.test(text)

/** The words of a text, folded, that tell a model what to do. */
export const commandIn = (text: string): string | undefined => commands.exec(foldedText(text))?.[0]
