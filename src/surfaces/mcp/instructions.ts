import type { ToolSet } from './narrowing.ts'

/** Instructions for a model before its first tool call. */
const instructions = [
  'Vitrine manages the catalogues of shops: workspaces with products, collections, tags and images.',
  'Ids come from list tools: start with list_workspaces, then pass its workspaceId to every tool.',
  'Read before you write: update tools replace the whole object, so get it first and send every field.',
  'Import products that nobody has verified as INACTIVE; ACTIVE ones are public at once.',
  'Deletes are permanent; status DELETED hides a product and can be undone.',
  'Lists take query.page, query.pageSize and query.search; query.view=summary keeps them short.',
  'AI calls cost credits: never retry one blindly, and look first whether an interrupted write happened.',
  'An error is a JSON object; decide by its status and code, and mend what fieldErrors names.',
  'Clients may send _meta.idempotencyKey with a create, which makes a retry safe, and _meta.ifMatch with',
  "an update: the _meta.etag of the result it was read from, so that nobody else's change is lost.",
].join(' ')

export function instructionsFor({ workspaceId }: ToolSet): string {
  if (workspaceId === undefined) return instructions
  return `${instructions} This connection serves the workspace ${workspaceId} alone.`
}
