import { referredComponents } from '../../../codegen/public_document.ts'

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
  // How a caller signs in is named without a reference.
  const schemes = Object.keys(document.components.securitySchemes ?? {})
  const always = schemes.map((scheme) => `securitySchemes/${scheme}`)
  return { ...document, paths, components: referredComponents(document, [paths], always) }
}
