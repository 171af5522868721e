import {
  type Content,
  follow,
  isNode,
  type OpenApiDocument,
  type Parameter,
  type RequestBody,
  type Response,
} from '../document.ts'
import type { ChainedCall } from '../postman/chain.ts'
import { cell, fieldTable, typeOf } from './fields.ts'
import { linkTo, oneLine, type Page } from './page.ts'
import { type Sample, samplesOf } from './samples.ts'

/*
 * The reference: a page for each operation with its parameters, its body, what it answers, how it refuses
 * and samples that tests run, and a page that lists them.
 */

export function referencePages(document: OpenApiDocument): Page[] {
  const operations = samplesOf(document).map(({ call, samples }) => ({
    call,
    page: operationPage(document, call, samples),
  }))
  const tags = (document.tags ?? []) as { name: string; description?: string }[]
  const parts = tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ call }) => call.tag === name)
    const lines = own.map(({ call, page }) => `- ${linkTo(page.title, page.name)} \`${call.id}\``)
    return `## ${titleOf(name)}\n\n${oneLine(description)}\n\n${lines.join('\n')}`
  })
  const intro = `Every operation, with its fields, limits and refusals, and with samples in curl, TypeScript and Python that the tests of this service run. Programs read the same at [/v1/openapi.json](/v1/openapi.json) (OpenAPI 3.1), [/v1/openapi-3.0.json](/v1/openapi-3.0.json) and [/v1/postman.json](/v1/postman.json).

Samples take what differs from reader to reader from the environment: \`VITRINE_URL\` is the address of this service, \`VITRINE_KEY\` an account key, \`WORKSPACE_ID\` your workspace, and \`PRODUCT_ID\` and its like are ids that earlier calls have answered.`
  const list = { name: 'reference', title: 'All operations' }
  return [
    { ...list, markdown: `# ${list.title}\n\n${intro}\n\n${parts.join('\n\n')}\n` },
    ...operations.map(({ page }) => page),
  ]
}

/** A tag as people say it. */
const titleOf = (tag: string) =>
  tag
    .replaceAll('_', ' ')
    .replace(/^\w/, (letter) => letter.toUpperCase())
    .replace(/^Ai /, 'AI ')

function operationPage(
  document: OpenApiDocument,
  call: ChainedCall,
  samples: readonly Sample[],
): Page {
  const { id, method, path, tag, source } = call
  const { summary = id, description = '' } = source as { summary?: string; description?: string }

  const deprecated =
    source['deprecated'] === true ? ['**Deprecated.** New clients use another.'] : []
  const markdown = [
    `# ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    `${oneLine(description)} ${credentialOf(call)} Its name in clients and tools is \`${id}\`.`,
    ...deprecated,
    '## Call it',
    ...samples.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``),
    ...parametersPart(document, call),
    ...bodyPart(document, call),
    ...answerPart(document, call),
    ...refusalPart(document, call),
  ].join('\n\n')
  return {
    name: `operations/${id}`,
    title: summary,
    group: titleOf(tag),
    markdown: `${markdown}\n`,
  }
}

function credentialOf({ source }: ChainedCall): string {
  const ways = (source['security'] ?? []) as Record<string, readonly string[]>[]
  if (ways.length === 0) return 'It needs no key.'
  const scopes = new Set(ways.flatMap((way) => Object.values(way).flat()))
  const named = [...scopes].map((scope) => `\`${scope}\``).join(' or ')
  return scopes.size === 0 ? '' : `The key needs the scope ${named}.`
}

function parametersPart(document: OpenApiDocument, { path, source }: ChainedCall): string[] {
  const own = (source['parameters'] ?? []) as readonly Parameter[]
  const listed = [...(document.paths[path]?.parameters ?? []), ...own]
  const rows = listed.map((each) => {
    const parameter = follow<Parameter>(document, [], each).value
    const { name, in: place, required, description = '', schema = {} } = parameter
    const where = required ? place : `${place}, optional`
    return `| \`${name}\` | ${where} | ${typeOf(document, schema)} | ${cell(description)} |`
  })
  if (rows.length === 0) return []
  const head = ['| Name | Where | Value | Meaning |', '| --- | --- | --- | --- |']
  return ['## Parameters', [...head, ...rows].join('\n')]
}

function bodyPart(document: OpenApiDocument, { source }: ChainedCall): string[] {
  if (!isNode(source['requestBody'])) return []
  const { content } = follow<RequestBody>(
    document,
    [],
    source['requestBody'] as object as RequestBody,
  ).value
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content)
  const table = fieldTable(document, schema, 3)
  return ['## Body', `\`${type}\``, ...(table === '' ? [] : [table])]
}

const responsesOf = (document: OpenApiDocument, { source }: ChainedCall) =>
  Object.entries((source['responses'] ?? {}) as Record<string, Response>).map(
    ([status, response]) => ({ status, ...follow<Response>(document, [], response).value }),
  )

function answerPart(document: OpenApiDocument, call: ChainedCall): string[] {
  const parts = responsesOf(document, call)
    .filter(({ status }) => Number(status) < 300)
    .flatMap(({ status, description, content = {} }) => {
      const schema = content['application/json']?.schema
      const table = schema ? fieldTable(document, schema, 2) : ''
      const example = exampleIn(document, content)
      return [
        `**${status}.** ${oneLine(description)}`,
        ...(table === '' ? [] : [table]),
        ...(example === undefined
          ? []
          : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``]),
      ]
    })
  return ['## Answer', ...parts]
}

function exampleIn(document: OpenApiDocument, content: Content): unknown {
  const { example, examples = {} } = content['application/json'] ?? {}
  const [first] = Object.values(examples)
  if (!isNode(first)) return example
  return follow<{ value?: unknown }>(document, [], first).value.value
}

/** The codes that a response names in its description. */
export function refusalsOf(
  document: OpenApiDocument,
  call: ChainedCall,
): { status: string; description: string; codes: string[] }[] {
  return responsesOf(document, call)
    .filter(({ status }) => Number(status) >= 400)
    .map(({ status, description }) => {
      const [said = '', list = ''] = description.split(/\s*Codes: /)
      const codes = [...list.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)
      return { status, description: said, codes }
    })
}

function refusalPart(document: OpenApiDocument, call: ChainedCall): string[] {
  const rows = refusalsOf(document, call).map(({ status, description, codes }) => {
    const links = codes.map((code) => linkTo(`\`${code}\``, `errors/${code}`)).join(', ')
    return `| ${status} | ${links} | ${cell(description)} |`
  })
  if (rows.length === 0) return []
  return ['## Refusals', ['| Status | Code | When |', '| --- | --- | --- |', ...rows].join('\n')]
}
