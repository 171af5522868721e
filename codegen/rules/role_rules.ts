import { enumOf, isForMembers, type Rule } from '../model.ts'

/** A misspelt or misplaced role would silently lock members out. */
const roles: Rule = function* ({ document, operations }) {
  const others = enumOf(document, 'Role').filter((role) => role !== 'owner')
  for (const [index, tag] of (document.tags ?? []).entries()) {
    const roleNames = tag['x-roles']
    if (roleNames === undefined) continue
    const at = ['tags', String(index), 'x-roles']
    if (!Array.isArray(roleNames)) {
      yield { at, message: `x-roles is a list of ${others.join(', ')}` }
      continue
    }
    for (const [place, role] of roleNames.map(String).entries()) {
      const here = [...at, String(place)]
      if (role === 'owner') {
        yield { at: here, message: 'x-roles names owner, who may do everything' }
      } else if (!others.includes(role)) {
        yield { at: here, message: `x-roles names ${role}, which is not in the enum of Role` }
      }
    }
    if (!operations.some((operation) => operation.tag === tag.name && isForMembers(operation))) {
      yield {
        at,
        message: 'x-roles opens nothing: the dashboard serves no operation of a workspace',
      }
    }
  }
}

export const roleRules: readonly Rule[] = [roles]
