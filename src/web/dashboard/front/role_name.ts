import type { Role } from '../../../generated/roles.ts'
import { texts } from '../../language.ts'

export function roleName(role: Role): string {
  return texts('front')(`role.${role}`)
}
