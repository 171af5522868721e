/**
 * The JSON object in what a model wrote. Models put it between fences, behind their reasoning, or into
 * a sentence, however they are asked; what is not an object is undefined.
 */
export function objectIn(text: string): unknown {
  const plain = withoutReasoning(text)
  const start = plain.indexOf('{')
  const end = plain.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    return JSON.parse(plain.slice(start, end + 1))
  } catch {
    return undefined
  }
}

/** What has arrived of the object so far; empty while the model still reasons. */
export function beginningOfObject(text: string): string {
  const plain = withoutReasoning(text)
  const start = plain.indexOf('{')
  if (start < 0) return ''
  const whole = plain.slice(start)
  const bare = whole
    .trimEnd()
    .replace(/`{1,3}$/, '')
    .trimEnd()
  return bare.endsWith('}') ? bare : whole
}

/** Reasoning may lack its opening mark, which some servers cut off, or its end, which is to come. */
function withoutReasoning(text: string): string {
  const end = text.lastIndexOf('</think>')
  if (end >= 0) return text.slice(end + '</think>'.length)
  return /^\s*<think>/.test(text) ? '' : text
}
