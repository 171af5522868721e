import type { OperationId } from '../../src/operation.ts'
import { everyWayTo, operationIds, type Way } from './operations.ts'

/** Whether every operation meets every case. They share the code that decides, so usually it is in turns. */
export const allCases = process.env['ALL_CASES'] === '1'

const turns = 5

/** The operations that meet the case with this number: every fifth, and all of them on demand. */
export function inTurn(ids: OperationId[], number: number): OperationId[] {
  return allCases ? ids : ids.filter((id) => operationIds.indexOf(id) % turns === number % turns)
}

/** The cases that the way in with this place among others meets: a tenth of them, and all on demand. */
export function shareOf<T>(place: number, cases: readonly T[]): T[] {
  return cases.filter((_, number) => allCases || number % 10 === place % 10)
}

/**
 * Whether an operation meets a case at this way in: at one of those where it applies, and at all of them
 * on demand. The number lets cases choose different ones.
 */
export function isMetAt(
  id: OperationId,
  way: Way,
  number: number,
  applies: (way: Way) => boolean,
): boolean {
  const fitting = everyWayTo(id).filter(applies)
  const chosen = fitting[(operationIds.indexOf(id) + number) % fitting.length]
  return allCases ? applies(way) : chosen === way
}
