import type { Schemas } from '../../api.ts'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { texts } from '../../language.ts'

type Status = Schemas['ProductStatus']

export const statuses = ['ACTIVE', 'INACTIVE', 'DELETED'] as const satisfies readonly Status[]

const tones: Record<Status, Tone> = { ACTIVE: 'good', INACTIVE: 'warn', DELETED: 'quiet' }

export function StatusPill({ status }: { status: Status }) {
  return <Pill tone={tones[status]}>{texts('catalogue')(`status.${status}`)}</Pill>
}
