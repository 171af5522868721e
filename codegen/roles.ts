import { literal, table } from './literals.ts'
import type { Contract } from './model.ts'

/** Emits what each member role may do, for access, pages and tests. */
export function emitRoles({ powers }: Contract): string {
  const all = [...new Set(powers.flatMap(({ tags }) => tags))]
  const rows = powers.map(({ role, tags }) => `${role}: [${tags.map(literal).join(', ')}]`)
  return [
    '/** The roles of a workspace, that of its owner included. */',
    `export const roles = [${powers.map(({ role }) => literal(role)).join(', ')}] as const`,
    'export type Role = (typeof roles)[number]',
    '',
    '/** The tags of the operations that the dashboard serves inside a workspace. */',
    `export type WorkspaceTag = ${all.map(literal).join(' | ') || 'never'}`,
    '',
    '/** What each role may do in the dashboard, by the tag of an operation. */',
    table('powers', rows, 'Readonly<Record<Role, readonly WorkspaceTag[]>>'),
    '',
  ].join('\n')
}
