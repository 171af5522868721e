import type { Budget, Holding } from '../../fairness/budget.ts'
import type { Exchange } from './exchange.ts'

/** What an exchange holds of the budgets, until its work is done. */
export interface Holdings {
  open(budget: Budget, holder: string): Holding
  /** Gives everything back. */
  end(): void
}

/**
 * Work may outlast its client, who has only to leave for that: its bytes are held until it ends, not
 * until the response closes. What still arrives of a body after that is held until the response does.
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
