import { isNode } from './document.ts'
import type { Contract, Operation, Rule } from './model.ts'

/**
 * Where a create says its resource is, from the link `created` of its answer: the path of the linked
 * operation, with `{#id}` for the new id and other names for those in the path of the call. Null for
 * operations that create nothing.
 */
export function locationOf({ operations }: Contract, operation: Operation): string | null {
  const link = createdLink(operation)
  const target = operations.find(({ id }) => id === link?.operationId)
  if (!target) return null
  const parameters = isNode(link?.parameters) ? link.parameters : {}
  return target.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const from = /^\$request\.path\.(\w+)$/.exec(String(parameters[name]))?.[1]
    return from === undefined ? '{#id}' : `{${from}}`
  })
}

function createdLink({ responses }: Operation) {
  const links = successOf(responses)?.value.links
  const created = isNode(links) ? links.created : undefined
  return isNode(created) ? created : undefined
}

function successOf(responses: Operation['responses']) {
  return responses.find(({ status }) => status.startsWith('2'))
}

/** The header and the link go together, and the link leads to a path of the contract. */
const locations: Rule = function* (contract) {
  for (const operation of contract.operations) {
    const success = successOf(operation.responses)
    if (!success) continue
    const hasHeader = 'Location' in (success.value.headers ?? {})
    const hasPath = locationOf(contract, operation) !== null
    if (hasHeader && !hasPath)
      yield { at: success.at, message: 'has a Location, but no link `created` to an operation' }
    if (!hasHeader && createdLink(operation))
      yield { at: success.at, message: 'has a link `created`, but no Location' }
  }
}

export const locationRules: readonly Rule[] = [locations]
