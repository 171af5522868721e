/** What of the public document is divided. */
export interface PublicDocument {
  paths: Record<string, Record<string, { operationId?: string }>>
  components: Record<string, Record<string, unknown>>
}

/** The operations that the programs call. */
const called = [
  'create_product',
  'get_product',
  'update_product',
  'list_products',
  'delete_product',
  'upload_media_files',
  'chat_about_product',
]

const share = 3

/** What the operations of a path have in common. */
const sharedKey = 'parameters'

/**
 * The document with the operations that the programs call, and every third of the others in turn, so
 * that of seven generators at least two read each of them.
 */
export function partOf(document: PublicDocument, turn: number): PublicDocument {
  let place = 0
  const isMeant = ([key, { operationId = '' }]: [string, { operationId?: string }]) =>
    key === sharedKey || place++ % share === turn % share || called.includes(operationId)
  const items = Object.entries(document.paths).map(
    ([path, item]) => [path, Object.fromEntries(Object.entries(item).filter(isMeant))] as const,
  )
  const paths = Object.fromEntries(
    items.filter(([, item]) => Object.keys(item).some((key) => key !== sharedKey)),
  )
  return { ...document, paths, components: componentsOf(document, paths) }
}

/** The components that are referred to, also by each other; how a caller signs in is named elsewhere. */
function componentsOf({ components }: PublicDocument, paths: object): PublicDocument['components'] {
  const found = new Set<string>()
  const follow = (node: object) => {
    for (const [, kind, name] of JSON.stringify(node).matchAll(
      /"#\/components\/(\w+)\/([^"/]+)/g,
    )) {
      const place = `${kind}/${name}`
      if (found.has(place)) continue
      found.add(place)
      follow(components[kind!]![name!] as object)
    }
  }
  follow(paths)
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(
        Object.entries(all).filter(
          ([name]) => kind === 'securitySchemes' || found.has(`${kind}/${name}`),
        ),
      ),
    ]),
  )
}
