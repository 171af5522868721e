import { readFileSync } from 'node:fs'

/** The part of a member's schema that is read here: the fields that rows always have. */
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

/** What a document says about where it is served, with paths instead of addresses. */
interface PlacedDocument {
  info: { contact?: { url: string } }
  externalDocs?: { url: string }
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
  if (published?.baseUrl !== baseUrl)
    published = { baseUrl, text: placed('openapi.public.json', baseUrl) }
  return published.text
}

/** The public contract in OpenAPI 3.0, for generators that read no newer one. */
export function olderContract(baseUrl: string): string {
  return placed('openapi.3_0.json', baseUrl)
}

export function postmanCollection(baseUrl: string): string {
  const collection = JSON.parse(textOf('postman.json')) as { variable: { key: string }[] }
  const variable = collection.variable.map((each) =>
    each.key === 'baseUrl' ? { key: 'baseUrl', value: baseUrl } : each,
  )
  return JSON.stringify({ ...collection, variable })
}

/** What language models should know of the API, as Markdown. */
export function textForModels(baseUrl: string): string {
  return textOf('llms.txt').replaceAll('{baseUrl}', baseUrl)
}

/** The files of the guide by their path below /docs/, with the addresses of this service. */
export function guideFiles(baseUrl: string, dashboardUrl: string): Map<string, string> {
  const files = JSON.parse(textOf('guide.json')) as Record<string, string>
  const placedFiles = Object.entries(files).map(([path, text]): [string, string] => [
    path,
    text.replaceAll('{baseUrl}', baseUrl).replaceAll('{dashboardUrl}', dashboardUrl),
  ])
  return new Map(placedFiles)
}

function placed(name: string, baseUrl: string): string {
  const { info, externalDocs, ...document } = JSON.parse(textOf(name)) as PlacedDocument
  const { contact } = info
  return JSON.stringify({
    ...document,
    info: contact ? { ...info, contact: { ...contact, url: baseUrl + contact.url } } : info,
    ...(externalDocs && { externalDocs: { ...externalDocs, url: baseUrl + externalDocs.url } }),
    servers: [{ url: baseUrl }],
  })
}

export function readTools(): ToolDefinition[] {
  return JSON.parse(textOf('tools.json')) as ToolDefinition[]
}

function textOf(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}
