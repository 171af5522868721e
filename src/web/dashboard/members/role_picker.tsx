import { roles } from '../../../generated/roles.ts'
import type { Schemas } from '../../api.ts'
import { among, Picker } from '../../kit/forms/picker.tsx'
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
  return (
    <Picker
      label={label}
      chosen={{ value: role, label: roleName(role) }}
      find={among(choices)}
      isShort
      onChange={({ value }) => {
        const chosen = roles.find((one) => one === value)
        if (chosen && chosen !== role) onChange(chosen)
      }}
    />
  )
}
