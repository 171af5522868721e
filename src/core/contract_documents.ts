import { readFileSync } from 'node:fs'

/** What is read of the schema of a member: the fields that rows always have. */
interface ListSchema {
  type?: unknown
  maxItems?: number
  items?: { required?: string[] }
}

/** A tool as the manifest describes it to agents. */
export interface ToolDefinition {
  name: string
  title: string
  description: string
  inputSchema: { properties: Record<string, unknown> }
  outputSchema: { properties: Record<string, ListSchema> }
  annotations: { readOnlyHint: boolean } & Record<string, unknown>
}

/** The common part of the documents. */
export interface ContractDocument {
  paths: Record<string, Record<string, unknown>>
}

/** Beside the bundle when the service runs from it, else where codegen puts them. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../generated/' : './', import.meta.url)

/** The whole contract; each call returns a fresh copy, because the router modifies it. */
export function readContract(): ContractDocument {
  return JSON.parse(textOf('openapi.json')) as ContractDocument
}

let published: { baseUrl: string; text: string } | undefined

/** The public contract as JSON text, with the address that serves it; built on first use. */
export function publicContract(baseUrl: string): string {
  if (published?.baseUrl !== baseUrl) {
    const document = JSON.parse(textOf('openapi.public.json')) as ContractDocument
    published = { baseUrl, text: JSON.stringify({ ...document, servers: [{ url: baseUrl }] }) }
  }
  return published.text
}

export function readTools(): ToolDefinition[] {
  return JSON.parse(textOf('tools.json')) as ToolDefinition[]
}

function textOf(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}
