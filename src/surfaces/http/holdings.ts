import type { Budget, Holding } from '../../fairness/budget.ts'
import type { Exchange } from './exchange.ts'

/** What an exchange holds of the budgets until its work is done. */
export interface Holdings {
  open(budget: Budget, holder: string): Holding
  /** Gives everything back. */
  end(): void
}

/**
 * Work may continue after its client has left, and clients could leave on purpose: bytes are held until the
 * work ends, not until the response closes. Parts of a body that arrive later are held until the response
 * closes.
 */
export function openHoldings({ response }: Pick<Exchange, 'response'>): Holdings {
  const holdings: Holding[] = []
  let isOver = false

  function release(): void {
    for (const holding of holdings) holding.release()
  }

  function releaseIfOver(): void {
    if (isOver) release()
  }

  return {
    open(budget, holder) {
      const holding = budget.open(holder)
      if (holdings.push(holding) === 1) response.once('close', releaseIfOver)
      return holding
    },
    end() {
      isOver = true
      release()
    },
  }
}
