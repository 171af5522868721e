import type { AiSettings } from '../../settings/config.ts'

/**
 * What a request makes use of. Servers that speak the same protocol refuse different parts of it: one has
 * no JSON mode, one not together with tools, one no reasoning effort.
 */
export interface Uses {
  format: 'json_schema' | 'json_object' | 'text'
  tools: boolean
  reasoning: boolean
  temperature: boolean
}

/** What the first request to a model makes use of. */
export function firstUses({ responseFormat, tools, reasoning, provider }: AiSettings): Uses {
  // The other providers' own packages know how to ask for a schema.
  const usual = provider === 'openai-compatible' ? 'json_object' : 'json_schema'
  return {
    format: responseFormat === 'auto' ? usual : responseFormat,
    tools: tools !== 'false',
    reasoning,
    temperature: true,
  }
}

/** Statuses by which servers refuse a request for what it has, before they do any work. */
const refusals = [400, 404, 405, 422, 501]

interface ModelRefusal {
  statusCode?: number | undefined
  responseBody?: string | undefined
}

/**
 * What to ask with instead after a refusal; undefined if there is nothing left to leave out. The words of
 * the refusal tell which part it is about. What the operator has set is never left out.
 */
export function fewerUses(
  uses: Uses,
  refusal: ModelRefusal,
  settings: AiSettings,
): Uses | undefined {
  if (!refusals.includes(refusal.statusCode ?? 0)) return undefined
  const words = (refusal.responseBody ?? '').toLowerCase()
  const canChangeFormat = settings.responseFormat === 'auto' && uses.format !== 'text'
  const canLeaveTools = settings.tools === 'auto' && uses.tools
  if (canChangeFormat && /response_format|json/.test(words))
    return { ...uses, format: formatInstead(uses, words) }
  if (canLeaveTools && words.includes('tool')) return { ...uses, tools: false }
  if (uses.reasoning && /reason|effort|think/.test(words)) return { ...uses, reasoning: false }
  if (uses.temperature && words.includes('temperature')) return { ...uses, temperature: false }
  const least: Uses = {
    format: canChangeFormat ? 'text' : uses.format,
    tools: canLeaveTools ? false : uses.tools,
    reasoning: false,
    temperature: false,
  }
  return JSON.stringify(least) === JSON.stringify(uses) ? undefined : least
}

/** A server that has no JSON mode may take a schema; one that says so names it. */
function formatInstead({ format }: Uses, words: string): Uses['format'] {
  const isOffered = words.includes('json_schema') && !words.includes('tool')
  return format === 'json_object' && isOffered ? 'json_schema' : 'text'
}
