import { expect, test } from 'vitest'
import { publicContract } from '../../src/core/contract_documents.ts'
import { serviceTexts } from '../../src/texts/languages.ts'

/** A text as an expression: its placeholders stand for anything. */
function expressionOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')
  return new RegExp(`^(${escaped})$`)
}

test('the public document shows refusals in the words of the service', () => {
  const texts = Object.values<string>(serviceTexts.en.refusals).map(expressionOf)
  const messages = [...publicContract('').matchAll(/"code":"\w+","message":"([^"]*)"/g)]
  expect(messages.length).toBeGreaterThan(36)
  const unknown = messages.filter(([, message = '']) => !texts.some((text) => text.test(message)))
  expect(unknown.map(([, message]) => message)).toEqual([])
})
