import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { texts } from '../../language.ts'
import type { ChangeSet } from './change_set.ts'

const tones: Record<ChangeSet['state'], Tone> = {
  PLANNING: 'info',
  PLANNED: 'info',
  WAITING: 'warn',
  APPLYING: 'info',
  APPLIED: 'good',
  UNDOING: 'info',
  UNDONE: 'quiet',
  CANCELLED: 'quiet',
  FAILED: 'bad',
  EXPIRED: 'quiet',
}

export function StatePill({ state }: Pick<ChangeSet, 'state'>) {
  return <Pill tone={tones[state]}>{texts('changes')(`state.${state}`)}</Pill>
}
