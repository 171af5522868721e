import type { OperationId } from '../../operation.ts'

/**
 * A door's answer to a call that a person has not confirmed yet. Not a refusal by the operation, which has
 * not started: the door puts its question in the terms of its protocol.
 */
export class Unconfirmed extends Error {
  readonly operationId: OperationId
  readonly input: { path: Record<string, string> }
  /** What is wrong with the confirmation; undefined if none was sent. */
  readonly fault: 'declined' | 'foreign' | undefined

  constructor(operationId: OperationId, input: Unconfirmed['input'], fault?: Unconfirmed['fault']) {
    super(`${operationId} is not confirmed.`)
    this.operationId = operationId
    this.input = input
    this.fault = fault
  }
}
