import type { OperationId } from '../../src/operation.ts'
import { operationIds } from './operations.ts'

/** Whether every operation meets every case. They share the code that decides, so usually it is in turns. */
export const allCases = process.env['ALL_CASES'] === '1'

const turns = 5

/** The operations that meet the case with this number: every fifth, and all of them on demand. */
export function inTurn(ids: OperationId[], number: number): OperationId[] {
  return allCases ? ids : ids.filter((id) => operationIds.indexOf(id) % turns === number % turns)
}

/** The cases that an operation meets: a fifth of them, and all on demand. */
export function casesOf<T>(id: OperationId, cases: readonly T[]): T[] {
  return cases.filter((_, number) => inTurn([id], number).length > 0)
}
