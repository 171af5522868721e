import { isNode, methods, type Node, objectsOf, pathOf, valueAt } from './document.ts'
import { isPublic, type Contract, type Operation } from './model.ts'
import { withOpenAnswers } from './open_answers.ts'
import { limitHeaders, refusalsOf, type PublishedRefusals } from './refusals.ts'
import { publishedSecurity } from './published_security.ts'

/** Emits the whole document for use at run time, as JSON, which loads faster than YAML. */
export function emitDocument({ document }: Contract): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Emits the document for integrators: the REST operations of the two public surfaces. */
export function emitPublicDocument(contract: Contract): string {
  const publicOperations = contract.operations.filter(isPublic)
  const refusals = refusalsOf(contract, publicOperations)
  const opened = withoutNamedValues(withOpenAnswers(contract.document))
  const { responses = {} } = opened.components ?? {}
  const document = {
    ...opened,
    components: {
      ...opened.components,
      responses: { ...withLimits(opened, responses), ...refusals.responses },
    },
  }
  const paths = {
    ...publicPaths(document.paths, publicOperations, refusals),
    ...endpointsIn(document),
  }
  const tags = new Set(publicOperations.map(({ tag }) => tag))
  const published = {
    ...document,
    // The origin is only known at run time.
    servers: [{ url: '/' }],
    tags: (document.tags ?? []).filter(({ name }) => tags.has(name)).map(withoutExtensions),
    paths,
    components: usedComponents(document, paths, publicOperations),
  }
  return `${JSON.stringify(published, publishedValue, 2)}\n`
}

/**
 * The values of a map stand where it is, if they may be of several types: kubb's generator never ends on
 * a reference to such a schema.
 */
function withoutNamedValues(document: Contract['document']): Contract['document'] {
  const inPlace = (key: string, value: unknown): unknown => {
    if (key !== 'additionalProperties' || !isNode(value) || typeof value.$ref !== 'string')
      return value
    const target = valueAt(document, pathOf(value.$ref) ?? [])
    return isNode(target) && Array.isArray(target.type) ? target : value
  }
  return JSON.parse(JSON.stringify(document, inPlace)) as Contract['document']
}

/**
 * Bytes have no characters to count: generators turn the limit into a method that files lack. The
 * days of a deprecated parameter are in the headers of answers.
 */
function publishedValue(key: string, value: unknown): unknown {
  if (key === 'x-deprecated') return undefined
  if (!isNode(value) || value.format !== 'binary') return value
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => keyword !== 'maxLength'))
}

function publicPaths(
  paths: Contract['document']['paths'],
  operations: readonly Operation[],
  refusals: PublishedRefusals,
): Node {
  const entries = Object.entries(paths).flatMap(([path, item]) => {
    const hidden = new Set<string>(methods)
    const own = operations.filter((operation) => operation.path === path)
    for (const { method } of own) hidden.delete(method)
    const visible = Object.entries(item).filter(([key]) => !hidden.has(key))
    const published = visible.map(([key, value]): [string, unknown] => {
      const operation = own.find(({ method }) => method === key)
      if (operation === undefined || !isNode(value)) return [key, value]
      const responses = Object.entries(value.responses ?? {}).map(([status, response]) => {
        const name = refusals.nameFor(operation, status)
        return [status, name ? { $ref: `#/components/responses/${name}` } : (response as Node)]
      })
      const security = publishedSecurity(operation)
      const answers = Object.fromEntries(responses) as Node
      return [key, withoutExtensions({ ...value, security, responses: answers })]
    })
    return own.length > 0 ? [[path, Object.fromEntries(published)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** An answer to a key says what is left of its limits, also where it refuses or has no body. */
function withLimits(document: Contract['document'], responses: Node): Node {
  const entries = Object.entries(responses).map(([name, response]) => {
    const { headers, ...rest } = response as Node
    return [name, { ...rest, headers: { ...(headers as Node), ...limitHeaders(document) } }]
  })
  return Object.fromEntries(entries) as Node
}

/** What the API serves beside the operations, by path. */
function endpointsIn({ components }: Contract['document']): Node {
  const endpoints = Object.entries(components?.pathItems ?? {})
  return Object.fromEntries(endpoints.map(([name, item]) => [`/${name}`, item]))
}

/** Vendor extensions of operations and tags. */
function withoutExtensions(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith('x-')))
}

/** The components of what is published. `security` names schemes and scopes without a reference. */
function usedComponents(
  document: Contract['document'],
  paths: Node,
  operations: readonly Operation[],
): Node {
  const schemes = operations.flatMap(publishedSecurity).flatMap((each) => Object.keys(each))
  const always = schemes.map((scheme) => `securitySchemes/${scheme}`)
  return referredComponents(document, [paths, { $ref: '#/components/schemas/Scope' }], always)
}

/**
 * The components that these parts of a document refer to, directly or indirectly, in the document's order,
 * and those that always belong to it, as `kind/name`.
 */
export function referredComponents(
  document: Pick<Contract['document'], 'components'>,
  parts: readonly Node[],
  always: readonly string[],
): Record<string, Node> {
  const used = new Set(always)
  const pending: unknown[] = [{ parts }]
  while (pending.length > 0) {
    for (const { value } of objectsOf(pending.pop())) {
      if (typeof value.$ref !== 'string') continue
      const [, kind = '', name = ''] = pathOf(value.$ref) ?? []
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      pending.push(valueAt(document, ['components', kind, name]))
    }
  }
  const kinds = Object.entries(document.components ?? {}).map(([kind, components]) => {
    const entries = Object.entries(components).filter(([name]) => used.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(entries)] as const
  })
  return Object.fromEntries(kinds.filter(([, components]) => Object.keys(components).length > 0))
}
