import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'

const tools = readTools()

/** What a model reads of a tool, whose list it carries through the whole conversation. */
function tokensOf({ name, description, inputSchema }: (typeof tools)[number]): number {
  return encode(JSON.stringify({ name, description, input_schema: inputSchema })).length
}

describe('the tokens that tools cost a model', () => {
  test('are at most 550 for each', () => {
    const over = tools.filter((tool) => tokensOf(tool) > 550).map(({ name }) => name)
    expect(over).toEqual([])
  })

  test('are at most 9,000 for all of them together', () => {
    const all = tools.map(tokensOf).reduce((sum, tokens) => sum + tokens, 0)
    expect(all).toBeLessThanOrEqual(9000)
  })
})
