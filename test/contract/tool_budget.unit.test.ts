import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'

const tools = readTools()

/** Tokens of what a model reads of a tool; the list stays in context for the whole conversation. */
function tokensOf({ name, description, inputSchema }: (typeof tools)[number]): number {
  return encode(JSON.stringify({ name, description, input_schema: inputSchema })).length
}

describe('the tokens that tools cost a model', () => {
  test('are at most 550 per tool', () => {
    const over = tools.filter((tool) => tokensOf(tool) > 550).map(({ name }) => name)
    expect(over).toEqual([])
  })

  test('are at most 10,500 in total', () => {
    const all = tools.map(tokensOf).reduce((sum, tokens) => sum + tokens, 0)
    expect(all).toBeLessThanOrEqual(10_500)
  })
})
