import { roles } from '../../../generated/roles.ts'
import type { Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { roleName } from '../front/role_name.ts'

type Role = Schemas['Member']['role']

interface RolePickerProps {
  label: string
  role: Role
  onChange: (role: Role) => void
}

/** A member's role. */
export function RolePicker({ label, role, onChange }: RolePickerProps) {
  const choices = roles.map((value) => ({ value, label: roleName(value) }))
  return <Select {...{ label, choices, onChange }} value={role} />
}
