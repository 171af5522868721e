import type { JSONValue, ModelMessage } from 'ai'
import type { AiSettings } from '../../settings/config.ts'
import type { ModelTool, PromptMessage, ThinkingLevel } from './types.ts'
import { ToolFailed } from './failures.ts'
import { loadSdk } from './sdk.ts'

/** The tool in the SDK's terms. The SDK would tell the model what went wrong inside: we keep it. */
export async function openTool({ name, description, schema, run }: ModelTool) {
  const { tool, jsonSchema } = await loadSdk()
  let fault: unknown
  const execute = async (input: unknown) => {
    try {
      return await run(input)
    } catch (error) {
      fault ??= error
      throw new Error('This failed.', { cause: error })
    }
  }
  const inputSchema = jsonSchema<unknown>(schema)
  return {
    tools: { [name]: tool({ description, inputSchema, execute }) },
    requireSound() {
      if (fault !== undefined) throw new ToolFailed('The tool failed.', { cause: fault })
    },
  }
}

/** The thinking level in each provider's terms. */
export function effortOf(
  { provider }: AiSettings,
  level: ThinkingLevel,
): Record<string, Record<string, JSONValue>> {
  const effort = ({ LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const)[level]
  switch (provider) {
    case 'openai-compatible':
      return { compatible: { reasoningEffort: effort } }
    case 'openai':
      return { openai: { reasoningEffort: effort } }
    case 'anthropic':
      return { anthropic: { effort } }
    case 'google':
      return { google: { thinkingConfig: { thinkingLevel: effort } } }
  }
}

/** A message in the SDK's terms. */
export function sdkMessage({ role, text, pictures = [] }: PromptMessage): ModelMessage {
  if (role === 'assistant') return { role, content: text }
  const images = pictures.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    image: new Uint8Array(bytes),
    mediaType: mimeType,
  }))
  return { role, content: [{ type: 'text', text }, ...images] }
}
