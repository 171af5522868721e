export type ThinkingLevel = 'LOW' | 'MEDIUM' | 'HIGH'

export interface Picture {
  bytes: Buffer
  mimeType: string
}

/** A message of a conversation; only visitor messages carry pictures. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  text: string
  pictures?: readonly Picture[]
}

/** A function that the model may call before it answers. */
export interface ModelTool {
  name: string
  description: string
  /** The schema of its input, which is unchecked when it runs. */
  schema: Record<string, unknown>
  /** How many of its results the model waits for; after that it must answer. */
  maxCalls: number
  run: (input: unknown) => Promise<string>
}
