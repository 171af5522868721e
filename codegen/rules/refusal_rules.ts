import { isNode, valueAt } from '../document.ts'
import { codesIn, isPublic, type Contract, type Operation, type Rule } from '../model.ts'
import { codesOf, usualCodes } from '../refusals.ts'
import type { Finding } from '../source.ts'

/** Codes beyond the usual are listed, each with its status, and no status is without a code. */
const codes: Rule = function* (contract) {
  const missing = new Set<string>()
  for (const operation of contract.operations) {
    yield* listed(contract, operation)
    // Without security there is no telling; that has a finding of its own.
    if (!isPublic(operation) || operation.source.security === undefined) continue
    for (const { status } of operation.responses) {
      if (!/^[45]/.test(status)) continue
      const place = [...operation.at, 'responses', status]
      const answered = codesOf(contract, operation, status)
      if (answered.length === 0)
        yield { at: place, message: `has no error code with the status ${status}: add x-codes` }
      for (const code of answered) {
        const value = valueAt(contract.document, ['components', 'examples', code, 'value'])
        const fits = isNode(value) && value.code === code && String(value.status) === status
        if (fits || missing.has(code)) continue
        missing.add(code)
        yield { at: place, message: `needs components.examples.${code}, an example of its code` }
      }
    }
  }
}

function* listed(contract: Contract, operation: Operation): Generator<Finding> {
  const at = [...operation.at, 'x-codes']
  for (const code of codesIn(operation)) {
    const known = contract.errorCodes.find(({ name }) => name === code)
    const declared = operation.responses.some(({ status }) => status === String(known?.status))
    if (known === undefined) yield { at, message: `${code} is not in the enum of ErrorCode` }
    else if (!declared) yield { at, message: `${code} needs a response ${known.status}` }
    else if (usualCodes(operation).includes(code))
      yield { at, message: `${code} follows from the operation and need not be listed` }
  }
}

export const refusalRules: readonly Rule[] = [codes]
