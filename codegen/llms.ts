import { methods, type OpenApiDocument } from './document.ts'
import type { Chapter } from './guide/page.ts'

/** Emits what a language model should know of the API, with links to more, as llmstxt.org describes. */
export function emitLlms(publicDocument: string, chapters: readonly Chapter[]): string {
  const { info, paths, tags = [] } = JSON.parse(publicDocument) as OpenApiDocument
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const source = item[method]
      return source ? [{ path, method: method.toUpperCase(), source }] : []
    }),
  )
  const parts = (tags as { name: string; description?: string }[]).map(
    ({ name, description = '' }) => {
      const own = calls.filter(({ source }) => source.tags?.includes(name))
      const lines = own.map(
        ({ path, method, source }) =>
          `- \`${method} ${path}\` [${source.operationId}]({baseUrl}/docs/operations/${source.operationId}.md): ${source.summary}. ${oneLine(source.description)}`,
      )
      return `### ${name}\n\n${oneLine(description)}\n\n${lines.join('\n')}\n`
    },
  )
  const guide = chapters
    .flatMap(({ pages }) => pages)
    .filter(({ group }) => group === undefined)
    .map(({ name, title }) => `- [${title}]({baseUrl}/docs/${name}.md)`)
  return `# ${String(info.title)}

> ${String(info.summary)}

${String(info.description)}
## Documents

- [OpenAPI 3.1]({baseUrl}/v1/openapi.json): every operation, field, limit and error code
- [OpenAPI 3.0]({baseUrl}/v1/openapi-3.0.json): the same for older generators
- [Postman collection]({baseUrl}/v1/postman.json): the operations in an order that runs
- MCP endpoint: {baseUrl}/mcp, where agents find the management operations as tools

## Guide

${guide.join('\n')}
- {baseUrl}/docs/errors/<code>.md: what to do about an error code

## Operations

${parts.join('\n')}`
}

const oneLine = (text = '') => text.trim().replaceAll(/\s+/g, ' ')
