import type { Choice } from '../kit/forms/choice.ts'
import { among, Picker } from '../kit/forms/picker.tsx'

interface WorkspaceSearchProps {
  label: string
  choices: readonly Choice<string>[]
  chosen: Choice<string>
  onChange: (workspaceId: string) => void
}

/** For people with many workspaces. */
export function WorkspaceSearch({ label, choices, chosen, onChange }: WorkspaceSearchProps) {
  return (
    <Picker
      {...{ label, chosen }}
      find={among(choices)}
      onChange={({ value }) => onChange(value)}
    />
  )
}
