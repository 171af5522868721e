import type { OperationId } from '../../operation.ts'

/**
 * A door's answer to a call that a person has not confirmed yet. It is no refusal of the operation,
 * which has not begun: the door puts its question into the words of its protocol.
 */
export class Unconfirmed extends Error {
  readonly operationId: OperationId
  readonly input: { path: Record<string, string> }
  /** What is wrong with the confirmation that was sent; undefined without one. */
  readonly fault: 'declined' | 'foreign' | undefined

  constructor(operationId: OperationId, input: Unconfirmed['input'], fault?: Unconfirmed['fault']) {
    super(`${operationId} is not confirmed.`)
    this.operationId = operationId
    this.input = input
    this.fault = fault
  }
}
