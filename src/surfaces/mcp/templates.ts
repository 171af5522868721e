import { UriTemplate } from '@modelcontextprotocol/server'
import type { OperationId } from '../../operation.ts'

/** Resources of a workspace that clients let a person pick, read by a tool of the same connection. */
export interface ResourceKind {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: string
  tool: OperationId
  /** The prefix of its ids. */
  prefix: string
}

const mimeType = 'application/json'

export const templates: ResourceKind[] = [
  {
    uriTemplate: 'vitrine://workspaces/{workspaceId}/products/{id}',
    name: 'product',
    title: 'A product',
    description: 'One product with its whole texts, pictures and tags.',
    mimeType,
    tool: 'get_product',
    prefix: 'prod_',
  },
  {
    uriTemplate: 'vitrine://workspaces/{workspaceId}/collections/{id}',
    name: 'collection',
    title: 'A collection',
    description: 'One collection with its products.',
    mimeType,
    tool: 'get_collection',
    prefix: 'coll_',
  },
]

const parsed = templates.map((template) => ({
  template,
  uris: new UriTemplate(template.uriTemplate),
}))

/** The template that matches an address, and the arguments of its tool. */
export function templateAt(
  uri: string,
): { template: ResourceKind; args: { workspaceId: string; id: string } } | undefined {
  for (const { template, uris } of parsed) {
    const { workspaceId, id } = uris.match(uri) ?? {}
    if (typeof workspaceId === 'string' && typeof id === 'string')
      return { template, args: { workspaceId, id } }
  }
  return undefined
}
