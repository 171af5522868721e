/** Deliveries that a process has under way at once. */
const most = 64
/** Half of them stay free of receivers that fail or are slow. */
const mostOfSlow = most / 2
const mostOfWebhook = 2
const mostOfWorkspace = 8
/** A receiver that took longer is slow until it has answered sooner. */
const slowSeconds = 2
const remembered = 5000

interface Candidate {
  workspaceId: string
  webhookId: string
  isFailing: boolean
}

/**
 * Places for deliveries, in which a receiver holds up none but itself: a webhook has two, one that
 * fails or is slow has one, a workspace has a few, and slow ones never have all.
 */
export function createPlaces() {
  const held = new Map<string, number>()
  const slow = new Set<string>()
  let [all, ofSlow] = [0, 0]
  const heldBy = (holder: string) => held.get(holder) ?? 0

  function count(holder: string, more: number): void {
    const now = heldBy(holder) + more
    if (now === 0) held.delete(holder)
    else held.set(holder, now)
  }

  /** Undefined without a place; else what to call, with the seconds it took, when it is over. */
  function take({ workspaceId, webhookId, isFailing }: Candidate) {
    const isSlow = isFailing || slow.has(webhookId)
    const isFull =
      all >= most ||
      heldBy(workspaceId) >= mostOfWorkspace ||
      heldBy(webhookId) >= (isSlow ? 1 : mostOfWebhook) ||
      (isSlow && ofSlow >= mostOfSlow)
    if (isFull) return undefined
    all++
    if (isSlow) ofSlow++
    count(workspaceId, 1)
    count(webhookId, 1)
    return (seconds: number) => {
      all--
      if (isSlow) ofSlow--
      count(workspaceId, -1)
      count(webhookId, -1)
      if (seconds > slowSeconds) slow.add(webhookId)
      else if (seconds > 0) slow.delete(webhookId)
      if (slow.size > remembered) slow.delete(slow.keys().next().value!)
    }
  }

  return { take }
}
