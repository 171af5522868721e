import { enumOf, isForMembers, type Rule } from './model.ts'

/** A role that is misspelt or stands at the wrong tag would lock members out without a word. */
const roles: Rule = function* ({ document, operations }) {
  const others = enumOf(document, 'Role').filter((role) => role !== 'owner')
  for (const [index, { name, 'x-roles': listed }] of (document.tags ?? []).entries()) {
    if (listed === undefined) continue
    const at = ['tags', String(index), 'x-roles']
    if (!Array.isArray(listed)) {
      yield { at, message: `x-roles of ${name} is a list of ${others.join(', ')}` }
      continue
    }
    for (const [place, role] of listed.entries()) {
      const here = [...at, String(place)]
      if (role === 'owner')
        yield { at: here, message: `x-roles of ${name} names owner, who may do everything` }
      else if (!others.includes(String(role)))
        yield { at: here, message: `x-roles of ${name} has ${String(role)}, which is no Role` }
      else if (listed.indexOf(role) !== place)
        yield { at: here, message: `x-roles of ${name} names ${role} twice` }
    }
    if (!operations.some((operation) => operation.tag === name && isForMembers(operation))) {
      const message = `x-roles of ${name} opens nothing: no operation of it is in a workspace of the dashboard`
      yield { at, message }
    }
  }
}

export const roleRules: readonly Rule[] = [roles]
